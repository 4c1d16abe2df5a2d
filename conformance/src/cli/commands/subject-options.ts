/**
 * The options of every command that operates a bridge, and the bridge that they name.
 */
import type { Command } from 'commander';
import { DEFAULT_SEED } from '../../runner/default-seed.ts';
import { readSeed } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';

/** What those options give. */
export interface SubjectOptions {
  readonly subject?: string;
  readonly driver?: string;
  readonly seed: number;
  readonly reports: string;
}

/** Adds the options. */
export function withSubject(command: Command): Command {
  return command
    .option('--subject <name-or-module>', 'a subject that comes with the suite, or the path of a module that exports createAdapter')
    .option('--driver <command>', 'a bridge in another language, through its driver (not built yet)')
    .option('--seed <n>', 'seed of all chance', readSeed, DEFAULT_SEED)
    .option('--reports <folder>', 'where reports go', 'reports')
    .exitOverride();
}

/**
 * Which bridge is meant.
 * @param otherwise the subject when none is named, such as that of a saved failure
 * @throws UsageError when none is named at all.
 */
export function subjectOf({ subject, driver }: Pick<SubjectOptions, 'subject' | 'driver'>, otherwise?: string): string {
  if (driver !== undefined) {
    throw new UsageError('--driver is not built yet: the suite reaches a bridge only in its own process; give --subject <module that exports createAdapter>');
  }
  const chosen = subject ?? otherwise;
  if (chosen === undefined) throw new UsageError('say which bridge: --subject <name, or path of a module that exports createAdapter>');
  return chosen;
}
