import type { Command } from 'commander';
import type { Level } from '../../adapter/messages.ts';
import { certify } from '../certify.ts';
import { collect, readLevels, readWorkers } from '../option-values.ts';
import type { CommandContext } from './context.ts';
import { subjectOf, withSubject, type SubjectOptions } from './subject-options.ts';

interface CertifyWords extends SubjectOptions {
  readonly strict: boolean;
  readonly level?: Level[];
  readonly only?: string[];
  readonly workers?: number;
}

/** `certify`. */
export function registerCertify(program: Command, { out, exit }: CommandContext): void {
  withSubject(program.command('certify'))
    .description('judges a bridge by every check that applies to it, and writes reports/report.json')
    .option('--level <levels>', 'core, and these of seed and resilience; default: what the subject declares', readLevels)
    .option('--only <words>', 'only these areas, invariants or checks; commas between', collect)
    .option('--workers <n>', 'how many processes at once; default: one a core, at most 4', readWorkers)
    .option('--strict', 'a recommendation (SHOULD) that is not met refuses the certificate too', false)
    .action(async (words: CertifyWords) => exit(await certify({ ...words, command: 'certify', subject: subjectOf(words) }, out)));
}
