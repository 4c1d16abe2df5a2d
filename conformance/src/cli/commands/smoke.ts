import type { Command } from 'commander';
import { certify } from '../certify.ts';
import { smokeChecks } from '../smoke-checks.ts';
import type { CommandContext } from './context.ts';
import { subjectOf, withSubject, type SubjectOptions } from './subject-options.ts';

/** `smoke`. */
export function registerSmoke(program: Command, { out, exit }: CommandContext): void {
  withSubject(program.command('smoke'))
    .description('a few quick checks, for somebody who writes an adapter')
    .action(async (words: SubjectOptions) => {
      const only = smokeChecks().map((check) => check.id);
      exit(await certify({ ...words, command: 'smoke', strict: false, only, targets: ['fixture'], subject: subjectOf(words) }, out));
    });
}
