/**
 * What is printed for a run that failed or stayed in doubt: enough for an issue (DESIGN.md §6).
 */
import type { Invariant } from '../catalogue/invariant.ts';
import type { RunResult } from '../runner/result.ts';
import { inputText } from './input-text.ts';
import { traceText } from './trace-text.ts';

/** What the text needs beside the run. */
export interface FailureContext {
  readonly invariant: Invariant;
  /** One command that replays the run. */
  readonly replay: string;
  /** Where the histories were saved, as a person reaches them. */
  readonly saved: readonly string[];
}

/** The whole text, several lines. */
export function failureText(run: RunResult, context: FailureContext): string {
  const { invariant } = context;
  const sources = [...invariant.sources.requirements, ...(invariant.sources.reports ?? [])].join(', ');
  const lines = [
    `${invariant.id} ${run.verdict === 'fail' ? 'failed' : run.verdict}: ${invariant.statement}`,
    `  check    ${run.check} on ${run.target} (${invariant.level}, ${invariant.strength}; ${sources})`,
    `  judge    ${run.message}`,
  ];
  if (run.counterexample !== undefined) {
    lines.push(`  input    ${inputText(run.counterexample)}`);
    lines.push(`           seed ${run.seed}, path ${run.path ?? ''}, shrunk in ${run.shrinks ?? 0} steps`);
  } else lines.push(`  seed     ${run.seed}`);
  if (run.history !== undefined) lines.push('  trace    milliseconds, what happened; > marks what the judge points at', ...traceText(run.history, run.evidence));
  if (run.again !== undefined) lines.push('  again    the second try', ...traceText(run.again));
  for (const file of context.saved) lines.push(`  history  ${file}`);
  lines.push(`  replay   ${context.replay}`);
  return lines.join('\n');
}
