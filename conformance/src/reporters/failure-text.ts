/**
 * What is printed for a run that failed or stayed in doubt: enough for an issue (DESIGN.md §6).
 */
import type { Invariant } from '../catalogue/invariant.ts';
import type { History } from '../history/schema.ts';
import type { RunResult } from '../runner/result.ts';
import { eventText } from './event-text.ts';
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

/** Before each further line of a message. */
const MORE = ' '.repeat(11);

/** The whole text, several lines. */
export function failureText(run: RunResult, context: FailureContext): string {
  const { invariant } = context;
  const sources = [...invariant.sources.requirements, ...(invariant.sources.reports ?? [])].join(', ');
  const lines = [
    `${invariant.id} ${run.verdict === 'fail' ? 'failed' : run.verdict}: ${invariant.statement}`,
    `  check    ${run.check} on ${run.target} (${invariant.level}, ${invariant.strength}; ${sources})`,
    `  judge    ${printable(run.message, MORE)}`,
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

/** What the text about a run without a verdict is made from. */
export interface LostContext {
  readonly check: string;
  readonly target: string;
  readonly invariant: Invariant;
  readonly seed: number;
  /** The error of the way to the subject. */
  readonly message: string;
  /** What was observed; without it only what is in `trace`. */
  readonly history?: History | undefined;
  /** Position in `history` of the last stimulus, -1 for none. */
  readonly last: number;
  /** Lines of a trace where there is no history. */
  readonly trace?: readonly string[];
  /** The input at work, of a property. */
  readonly input?: string | undefined;
  readonly saved: readonly string[];
  readonly replay: string;
}

/** What is printed for a run that an error of the way to the subject cost, several lines. */
export function lostText({ check, target, invariant, seed, message, history, last, trace, input, saved, replay }: LostContext): string {
  const event = history?.[last];
  const lines = [
    `${invariant.id} has no verdict: ${invariant.statement}`,
    `  check    ${check} on ${target} (${invariant.level}, ${invariant.strength})`,
    `  error    ${printable(message, MORE)}`,
  ];
  if (event !== undefined) lines.push(`  last     ${eventText(event)}`);
  if (input !== undefined) lines.push(`  input    ${inputText(input)}`);
  lines.push(`  seed     ${seed}`);
  if (history !== undefined) lines.push('  trace    milliseconds, what happened; > marks the last that was asked of the bridge or sent to it', ...traceText(history, last < 0 ? [] : [last]));
  else if (trace !== undefined && trace.length > 0) lines.push('  trace    what the suite asked; the process died with the rest', ...trace.map((one) => `             ${one}`));
  for (const file of saved) lines.push(`  history  ${file}`);
  lines.push(`  replay   ${replay}`);
  return lines.join('\n');
}

/** A file to attach, and the command for whoever gets it. */
function caseLines(asCase: FailureCase): string[] {
  if ('reason' in asCase) return [`  case     none: ${asCase.reason}`];
  return [`  case     ${asCase.file}${asCase.tried ? '' : ' (not tried)'}`, `           ${asCase.command}`];
}
