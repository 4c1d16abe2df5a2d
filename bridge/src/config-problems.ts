/**
 * Words for a wrong config. Every problem names its place and the fix; no value of `env`, `headers`, `args` or `url` is
 * ever quoted, since any of them may be a secret (B18).
 * @module
 */
import { BridgeError } from './errors.ts';

/** Problems listed in one message before the rest is only counted. */
const PROBLEMS_SHOWN = 10;

/** Longest quotation of a user's own word, in characters. */
const QUOTED_MAX_CHARS = 60;

/** Collects what is wrong and what is merely odd. */
export class ConfigProblems {
  readonly #problems: string[] = [];
  readonly #warnings: string[] = [];

  /** One thing that makes the config unusable: where, what, and what to do. */
  add(place: string, what: string, fix: string): void {
    this.#problems.push(`mcp-bridge ${place}: ${what}; ${fix}`);
  }

  /** One thing that a person should know and that stops nothing. */
  warn(place: string, text: string): void {
    this.#warnings.push(`${place}: ${text}`);
  }

  /** What was only odd. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /**
   * Ends the judgement.
   * @throws {BridgeError} `config-invalid`, one message for everything that is wrong (S09)
   */
  throwIfAny(): void {
    const [first] = this.#problems;
    if (first === undefined) return;
    const more = this.#problems.length - PROBLEMS_SHOWN;
    const lines = this.#problems.slice(0, PROBLEMS_SHOWN);
    if (more > 0) lines.push(`and ${more} more`);
    throw new BridgeError('config-invalid', lines.join('\n'));
  }
}

/** What kind of thing a value is, in words, without its content. */
export function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? 'empty text' : 'text';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

/** A user's own word in quotes, bounded; only for words that are no secrets (keys, names, choices). */
export function quoteWord(word: unknown): string {
  const text = String(word);
  return JSON.stringify(text.length > QUOTED_MAX_CHARS ? `${text.slice(0, QUOTED_MAX_CHARS)}…` : text);
}

/** The known word nearest to a mistyped one, or `undefined` when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.slice(0, QUOTED_MAX_CHARS).toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance of two short words. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitute = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
