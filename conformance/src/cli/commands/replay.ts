import { Option, type Command } from 'commander';
import type { Target } from '../../checks/check.ts';
import { checks } from '../../checks/index.ts';
import { casePath, replayedCase } from '../case-source.ts';
import { certify } from '../certify.ts';
import { didYouMean } from '../did-you-mean.ts';
import { readPath, readTarget, TARGETS } from '../option-values.ts';
import type { Output } from '../progress.ts';
import { replayCase } from '../replay-case.ts';
import { isFolder, readSavedFailure } from '../saved-failure.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './context.ts';
import { subjectOf, withSubject, type SubjectOptions } from './subject-options.ts';

interface ReplayWords extends SubjectOptions {
  readonly path?: string;
  readonly target?: Target;
}

/** `replay`. */
export function registerReplay(program: Command, { out, exit }: CommandContext): void {
  withSubject(program.command('replay'))
    .argument('<what>', 'a case file or a name of the library, the id of a check, or a file from reports/histories')
    .description('runs a case, or one check again, a property with exactly the input that was printed')
    .addOption(new Option('--path <path>', 'the path that was printed with the failure').argParser(readPath))
    .addOption(new Option('--target <target>', 'fixture or a real server').argParser(readTarget))
    .action(async (what: string, words: ReplayWords) => exit(await replay(what, words, out)));
}

async function replay(what: string, words: ReplayWords, out: Output): Promise<number> {
  const caseFile = await casePath(what);
  if (caseFile !== undefined) {
    // A history says itself how it came about.
    const history = replayedCase(caseFile);
    const subject = subjectOf(words, history?.subject);
    return replayCase({ path: caseFile, named: what, subject, seed: history?.seed ?? words.seed, reports: words.reports, timeoutMs: words.timeout * 1_000 }, out);
  }
  const saved = what.endsWith('.json') || isFolder(what) ? readSavedFailure(what) : undefined;
  const id = saved?.check ?? what;
  const check = checks.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (check === undefined) {
    throw new UsageError(`${id}: no such check, and no such case; ${didYouMean([id], checks.map((one) => one.id))}`);
  }
  const path = words.path ?? saved?.path;
  if (path !== undefined && check.kind !== 'property') {
    throw new UsageError(`--path: ${check.id} is no property, it has only a seed; leave --path out`);
  }
  const target = words.target ?? TARGETS.find((known) => known === saved?.target) ?? (check.targets ?? ['fixture'])[0] ?? 'fixture';
  return certify({
    command: 'replay', subject: subjectOf(words, saved?.subject), seed: saved?.seed ?? words.seed, strict: true, reports: words.reports, timeout: words.timeout,
    only: [check.id], targets: [target], ...(path === undefined ? {} : { path }),
  }, out);
}
