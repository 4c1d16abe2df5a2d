import type { Command } from 'commander';
import type { Level } from '../../adapter/messages.ts';
import { certify } from '../certify.ts';
import { collect, readLevels, readWorkers } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './context.ts';
import { subjectOf, withSubject, type SubjectOptions } from './subject-options.ts';

interface CertifyWords extends SubjectOptions {
  readonly strict: boolean;
  readonly level?: Level[];
  readonly only?: string[];
  readonly workers?: number;
  readonly baseline?: string;
  readonly fix: boolean;
}

/** `certify`. */
export function registerCertify(program: Command, { out, exit }: CommandContext): void {
  withSubject(program.command('certify'))
    .description('judges a bridge by every check that applies to it, and writes reports/report.json')
    .option('--level <levels>', 'core, and these of seed and resilience; default: what the subject declares', readLevels)
    .option('--only <words>', 'only these areas, invariants or checks; commas between', collect)
    .option('--workers <n>', 'how many processes at once; default: one a core, at most 4', readWorkers)
    .option('--strict', 'a recommendation (SHOULD) that is not met refuses the certificate too', false)
    .option('--baseline <file>', 'known failures, each with its reason; what differs from them fails')
    .option('--fix', 'rewrites the baseline so that it fits, and keeps its reasons', false)
    .action(async (words: CertifyWords) => {
      if (words.fix && words.baseline === undefined) throw new UsageError('--fix rewrites a baseline; say which: --baseline <file>');
      exit(await certify({ ...words, command: 'certify', subject: subjectOf(words) }, out));
    });
}
