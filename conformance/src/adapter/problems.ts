/**
 * What does not fit, in words of one line: where, what was due, and what was found.
 */
import type { z } from 'zod';

/** The most problems one message lists. */
const MAX_PROBLEMS = 5;
/** The most characters of a value that is named as found. */
const MAX_FOUND = 60;

/** What is told about a value that does not fit its schema. */
export function problemsOf(error: z.ZodError, value: unknown): string {
  const byShape = new Map<string, string>();
  for (const issue of error.issues) {
    const what = `${issue.message}${foundText(issue, value)}`;
    // The same mistake in each entry of a list is told once, at its first place.
    const shape = `${issue.path.map((key) => (typeof key === 'number' ? '#' : String(key))).join('.')}: ${what}`;
    if (!byShape.has(shape)) byShape.set(shape, `${issue.path.map(String).join('.') || '(the whole)'}: ${what}`);
  }
  const problems = [...byShape.values()];
  const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : '';
  return problems.slice(0, MAX_PROBLEMS).join('; ') + more;
}

/** What stands where one of several words was due; the schema's own message says only what was due. */
function foundText(issue: z.core.$ZodIssue, whole: unknown): string {
  if (issue.code !== 'invalid_value') return '';
  let value = whole;
  for (const key of issue.path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (value === undefined || value === null) return `, found ${value === null ? 'null' : 'nothing'}`;
  if (typeof value === 'object') return `, found ${Array.isArray(value) ? 'a list' : 'an object'}`;
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? `, found ${value}` : `, found a ${typeof value}`;
  return `, found ${quoted(value)}`;
}

/** A value as JSON on one line, a text between quotes, cut where it is long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_FOUND ? `${text.slice(0, MAX_FOUND - 1)}…` : text;
}
