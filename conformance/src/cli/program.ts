/**
 * The command line: its commands and options.
 */
import { Command, Option } from 'commander';
import type { Level } from '../adapter/messages.ts';
import type { Target } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import { DEFAULT_SEED } from '../runner/default-seed.ts';
import { certify } from './certify.ts';
import { didYouMean } from './did-you-mean.ts';
import { list } from './list.ts';
import { collect, readLevels, readPath, readSeed, readTarget, readWorkers, TARGETS } from './option-values.ts';
import { suitePackage } from './package-paths.ts';
import type { Output } from './progress.ts';
import { isFolder, readSavedFailure } from './saved-failure.ts';
import { smokeChecks } from './smoke-checks.ts';
import { UsageError } from './usage-error.ts';

interface CommonOptions {
  readonly subject?: string;
  readonly driver?: string;
  readonly seed: number;
  readonly strict: boolean;
  readonly reports: string;
  readonly level?: Level[];
  readonly only?: string[];
  readonly workers?: number;
}

interface ReplayOptions extends Omit<CommonOptions, 'only' | 'level' | 'workers' | 'strict'> {
  readonly path?: string;
  readonly target?: Target;
}

/** Builds the program; `exit` is told the exit code of the command that ran. */
export function buildProgram(out: Output, exit: (code: number) => void): Command {
  const program = new Command('mcp-bridge-conformance')
    .description('Certifies a bridge between MCP servers and a model, and replays each failure.')
    .version(suitePackage().version)
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .exitOverride();

  withSubject(program.command('certify'))
    .description('judges a bridge by every check that applies to it, and writes reports/report.json')
    .option('--level <levels>', 'only by these levels: core, seed, resilience; commas between', readLevels)
    .option('--only <words>', 'only these areas, invariants or checks; commas between', collect)
    .option('--workers <n>', 'how many processes at once; default: one a core, at most 4', readWorkers)
    .option('--strict', 'a recommendation (SHOULD) that is not met refuses the certificate too', false)
    .action(async (options: CommonOptions) => exit(await certify({ ...options, command: 'certify', subject: subjectOf(options) }, out)));

  withSubject(program.command('smoke'))
    .description('a few quick checks, for somebody who writes an adapter')
    .action(async (options: CommonOptions) => {
      const only = smokeChecks().map((check) => check.id);
      exit(await certify({ ...options, command: 'smoke', strict: false, only, targets: ['fixture'], subject: subjectOf(options) }, out));
    });

  withSubject(program.command('replay'))
    .argument('<check-or-file>', 'the id of a check, or a file from reports/histories')
    .description('runs one check again, a property with exactly the input that was printed')
    .addOption(new Option('--path <path>', 'the path that was printed with the failure').argParser(readPath))
    .addOption(new Option('--target <target>', 'fixture or a real server').argParser(readTarget))
    .action(async (what: string, options: ReplayOptions) => exit(await replay(what, options, out)));

  program.command('list')
    .description('every check, its invariant and where it comes from')
    .option('--json', 'as JSON', false)
    .action(({ json }: { json: boolean }) => {
      list(json, out);
      exit(0);
    });
  return program;
}

/** What commander says in several lines, a suggestion among them, as one. */
function oneLine(text: string): string {
  return `mcp-bridge-conformance: ${text.replace(/^error: /, '').trim().replace(/\s*\n\s*/g, ' ')} (see --help)`;
}

function withSubject(command: Command): Command {
  return command
    .option('--subject <name-or-module>', 'a subject that comes with the suite, or the path of a module that exports createAdapter')
    .option('--driver <command>', 'a bridge in another language, through its driver (not built yet)')
    .option('--seed <n>', 'seed of all chance', readSeed, DEFAULT_SEED)
    .option('--reports <folder>', 'where reports go', 'reports')
    .exitOverride();
}

function subjectOf({ subject, driver }: Pick<CommonOptions, 'subject' | 'driver'>, otherwise?: string): string {
  if (driver !== undefined) {
    throw new UsageError('--driver is not built yet: the suite reaches a bridge only in its own process; give --subject <module that exports createAdapter>');
  }
  const chosen = subject ?? otherwise;
  if (chosen === undefined) throw new UsageError('say which bridge: --subject <name, or path of a module that exports createAdapter>');
  return chosen;
}

async function replay(what: string, options: ReplayOptions, out: Output): Promise<number> {
  const saved = what.endsWith('.json') || isFolder(what) ? readSavedFailure(what) : undefined;
  const id = saved?.check ?? what;
  const check = checks.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (check === undefined) {
    throw new UsageError(`${id}: no such check; ${didYouMean([id], checks.map((one) => one.id))}`);
  }
  const path = options.path ?? saved?.path;
  if (path !== undefined && check.kind !== 'property') {
    throw new UsageError(`--path: ${check.id} is no property, it has only a seed; leave --path out`);
  }
  const target = options.target ?? TARGETS.find((known) => known === saved?.target) ?? (check.targets ?? ['fixture'])[0] ?? 'fixture';
  return certify({
    command: 'replay', subject: subjectOf(options, saved?.subject), seed: saved?.seed ?? options.seed, strict: true, reports: options.reports,
    only: [check.id], targets: [target], ...(path === undefined ? {} : { path }),
  }, out);
}
