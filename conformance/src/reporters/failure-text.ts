/**
 * What is printed for a run that failed or stayed in doubt: enough for an issue (DESIGN.md §6).
 */
import type { Invariant } from '../catalogue/invariant.ts';
import type { RunResult } from '../runner/result.ts';
import { inputText } from './input-text.ts';
import { printable } from './printable.ts';
import { traceText } from './trace-text.ts';

/** What the text needs beside the run. */
export interface FailureContext {
  readonly invariant: Invariant;
  /** One command that replays the run. */
  readonly replay: string;
  /** Where the histories were saved, as a person reaches them. */
  readonly saved: readonly string[];
  /** Of a failure: the case that was written from it. */
  readonly asCase?: FailureCase;
}

/** The failure as a case file: where it is and how it is run, or why there is none. */
export type FailureCase =
  | { readonly file: string; readonly tried: boolean; readonly command: string }
  | { readonly reason: string };

/** The whole text, several lines. */
export function failureText(run: RunResult, context: FailureContext): string {
  const { invariant } = context;
  const sources = [...invariant.sources.requirements, ...(invariant.sources.reports ?? [])].join(', ');
  const lines = [
    `${invariant.id} ${run.verdict === 'fail' ? 'failed' : run.verdict}: ${invariant.statement}`,
    `  check    ${run.check} on ${run.target} (${invariant.level}, ${invariant.strength}; ${sources})`,
    `  judge    ${printable(run.message, ' '.repeat(11))}`,
  ];
  if (run.counterexample !== undefined) {
    lines.push(`  input    ${inputText(run.counterexample)}`);
    lines.push(`           seed ${run.seed}, path ${run.path ?? ''}, shrunk in ${run.shrinks ?? 0} steps`);
  } else lines.push(`  seed     ${run.seed}`);
  if (run.history !== undefined) lines.push('  trace    milliseconds, what happened; > marks what the judge points at', ...traceText(run.history, run.evidence));
  if (run.again !== undefined) lines.push('  again    the second try', ...traceText(run.again));
  for (const file of context.saved) lines.push(`  history  ${file}`);
  lines.push(`  replay   ${context.replay}`);
  if (context.asCase !== undefined) lines.push(...caseLines(context.asCase));
  return lines.join('\n');
}

/** A file to attach, and the command for whoever gets it. */
function caseLines(asCase: FailureCase): string[] {
  if ('reason' in asCase) return [`  case     none: ${asCase.reason}`];
  return [`  case     ${asCase.file}${asCase.tried ? '' : ' (not tried)'}`, `           ${asCase.command}`];
}
