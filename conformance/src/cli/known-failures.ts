/**
 * `--baseline` and `--fix`: reads the known failures before anything runs, and says afterwards what differs from them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Document } from 'yaml';
import { compare, isAsKnown, type Comparison } from '../baseline/compare.ts';
import { BaselineError, readBaseline, type ReadBaseline } from '../baseline/read.ts';
import { rewriteBaseline } from '../baseline/rewrite.ts';
import { invariantById } from '../catalogue/index.ts';
import type { BaselineOutcome } from '../reporters/baseline-outcome.ts';
import type { RunSummary } from '../runner/result.ts';
import { selectionWords } from '../runner/plans.ts';
import { AREAS } from 'mcp-fixture-server/case';
import { didYouMean } from './did-you-mean.ts';
import { isFolder } from './saved-failure.ts';
import { UsageError } from './usage-error.ts';

/** A baseline that was asked for. */
export interface KnownFailures {
  readonly file: string;
  readonly fix: boolean;
  /** Absent when there is no file yet and `--fix` is to make one. */
  readonly read: ReadBaseline | undefined;
}

/**
 * Reads what `--baseline` names.
 * @throws UsageError when it is not there or wrong: file, line, what and the fix.
 */
export function readKnownFailures(file: string, fix: boolean): KnownFailures {
  if (isFolder(file)) throw new UsageError(`--baseline ${file}: this is a folder; give the path of a file`);
  if (!existsSync(file)) {
    if (fix) return { file, fix, read: undefined };
    throw new UsageError(`--baseline ${file}: there is no such file; give --fix too, and it is written with the failures of this run`);
  }
  try {
    return { file, fix, read: readBaseline(readFileSync(file, 'utf8'), file, nameProblem) };
  } catch (error) {
    if (error instanceof BaselineError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function nameProblem(name: string): string | undefined {
  const areas: readonly string[] = AREAS;
  const words = selectionWords().filter((word) => !areas.includes(word));
  return words.some((word) => word.toLowerCase() === name.toLowerCase()) ? undefined : `${name}: no such check or invariant; ${didYouMean([name], words)}`;
}

/** Compares the runs with the baseline and, when asked to, rewrites it. The outcome is what differed before that. */
export function settleKnownFailures({ file, fix, read }: KnownFailures, runs: readonly RunSummary[], strict: boolean): BaselineOutcome {
  const baseline = read?.baseline ?? { baseline: 1, known: [] };
  const found = compare(baseline, runs, (run) => strict || invariantById(run.invariant).strength === 'MUST');
  const fixed = fix && !isAsKnown(found);
  if (fixed) rewrite(file, read?.document, found);
  const place = (index: number): string => read?.place(index) ?? file;
  return {
    file: path.relative(process.cwd(), path.resolve(file)), fixed,
    known: found.known.map(({ run, entry }) => ({ check: run.check, target: run.target, reason: entry.reason })),
    stale: found.stale.map(({ entry, index }) => ({ check: entry.check, at: place(index), expected: entry.message })),
    changed: found.changed.map(({ entry, index, run }) => ({ check: run.check, target: run.target, at: place(index), expected: entry.message, message: run.message })),
    unknown: found.unknown.map(({ check, target, message }) => ({ check, target, message })),
  };
}

function rewrite(file: string, document: Document | undefined, found: Comparison): void {
  try {
    writeFileSync(file, rewriteBaseline(document, found, new Date().toISOString().slice(0, 10)));
  } catch (error) {
    throw new UsageError(`--baseline ${file}: it cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
