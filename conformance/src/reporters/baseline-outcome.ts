/**
 * What a baseline said of a certification, as the report holds it.
 */
import { z } from 'zod';
import { printable } from './printable.ts';

const target = z.enum(['fixture', 'server-everything', 'server-filesystem', 'sdk-http']);

/** As it is read back. */
export const baselineOutcome = z.object({
  /** The file, as a person reaches it. */
  file: z.string(),
  /** Whether `--fix` rewrote it; what is listed here is what differed before. */
  fixed: z.boolean(),
  known: z.array(z.object({ check: z.string(), target, reason: z.string() })),
  stale: z.array(z.object({ check: z.string(), at: z.string(), expected: z.string() })),
  changed: z.array(z.object({ check: z.string(), target, at: z.string(), expected: z.string(), message: z.string() })),
  unknown: z.array(z.object({ check: z.string(), target, message: z.string() })),
});

/** What a baseline said of a certification. */
export type BaselineOutcome = z.infer<typeof baselineOutcome>;

/** Whether everything that failed is known and everything known failed, or is so since `--fix`. */
export function fits({ fixed, stale, changed, unknown }: BaselineOutcome): boolean {
  return fixed || stale.length + changed.length + unknown.length === 0;
}

/** Whether a run is one of the known failures. */
export function isKnown(outcome: BaselineOutcome | undefined, run: { readonly check: string; readonly target: string }): boolean {
  return outcome?.known.some((one) => one.check === run.check && one.target === run.target) === true;
}

/** Before each further line of a message. */
const MORE = ' '.repeat(11);

/** Lines for a person. */
export function baselineLines(outcome: BaselineOutcome): string[] {
  const { file, fixed, known, stale, changed, unknown } = outcome;
  const lines = [`Baseline ${file}: ${known.length} known, ${stale.length} stale, ${changed.length} changed, ${unknown.length} unknown.`];
  lines.push(...stale.map(({ check, at }) => `  stale    ${at}: ${check} does not fail any more${fixed ? '' : '; take the entry out'}`));
  lines.push(...changed.map((one) => `  changed  ${one.at}: ${runName(one)} now says: ${printable(one.message, MORE)}\n           and not: ${printable(one.expected, MORE)}`));
  lines.push(...unknown.map((one) => `  unknown  ${runName(one)}: ${printable(one.message, MORE)}`));
  if (fixed) lines.push('  It was rewritten and fits now; look at it, and write a reason where it asks for one.');
  else if (!fits(outcome)) lines.push('  With --fix it is rewritten so that it fits.');
  return lines;
}

/** `NAMING-001/real on server-everything`; scripted servers go without saying. */
export function runName({ check, target: on }: { readonly check: string; readonly target: string }): string {
  return on === 'fixture' ? check : `${check} on ${on}`;
}
