/**
 * The options of every command that operates a bridge, and the bridge that they name.
 */
import type { Command } from 'commander';
import { DEFAULT_SEED } from '../../runner/default-seed.ts';
import { DEFAULT_TIMEOUT_S } from '../certify.ts';
import { readSeed, readTimeout } from '../option-values.ts';
import { subjectWord } from '../subject.ts';

/** What those options give. */
export interface SubjectOptions {
  readonly subject?: string;
  readonly driver?: string;
  readonly seed: number;
  readonly reports: string;
  readonly timeout: number;
}

/** Adds the options. */
export function withSubject(command: Command): Command {
  return command
    .option('--subject <name-or-module>', 'a subject that comes with the suite, or the path of a module that exports createAdapter')
    .option('--driver <command>', 'starts a program that speaks the driver protocol on stdin and stdout: a bridge in any language')
    .option('--seed <n>', 'seed of all chance', readSeed, DEFAULT_SEED)
    .option('--reports <folder>', 'where reports go', 'reports')
    .option('--timeout <seconds>', 'for all runs; what is left then is not tried, and there is no verdict', readTimeout, DEFAULT_TIMEOUT_S)
    .exitOverride();
}

/**
 * Which bridge is meant.
 * @param otherwise the subject when none is named, such as that of a saved failure
 * @throws UsageError when none is named at all, or two are.
 */
export function subjectOf(words: Pick<SubjectOptions, 'subject' | 'driver'>, otherwise?: string): string {
  return subjectWord(words, otherwise);
}
