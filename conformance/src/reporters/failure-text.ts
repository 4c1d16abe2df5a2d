/**
 * What is printed for a run that failed or stayed in doubt: enough for an issue (DESIGN.md §6).
 */
import type { Invariant } from '../catalogue/invariant.ts';
import type { RunResult } from '../runner/result.ts';
import { traceText } from './trace-text.ts';

/** Characters of a counterexample that are printed; the saved history holds it whole. */
const MAX_INPUT = 2_000;

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
    lines.push(`  input    ${cut(run.counterexample)}`);
    lines.push(`           seed ${run.seed}, path ${run.path ?? ''}, shrunk in ${run.shrinks ?? 0} steps`);
  } else lines.push(`  seed     ${run.seed}`);
  if (run.history !== undefined) lines.push('  trace    milliseconds, what happened; > marks what the judge points at', ...traceText(run.history, run.evidence));
  if (run.again !== undefined) lines.push('  again    the second try', ...traceText(run.again));
  for (const file of context.saved) lines.push(`  history  ${file}`);
  lines.push(`  replay   ${context.replay}`);
  return lines.join('\n');
}

/** Invisible characters are spelled out, so that what is printed can be told apart and pasted. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}

function cut(given: string): string {
  const text = visible(given);
  return text.length > MAX_INPUT ? `${text.slice(0, MAX_INPUT - 1)}… (${text.length} characters)` : text;
}
