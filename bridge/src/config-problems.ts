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
  readonly #entry: string | undefined;
  readonly #problems: string[] = [];
  readonly #warnings: string[] = [];

  /** @param entry which of many entries it is: its `serverName`, where it has a usable one */
  constructor(entry?: string) {
    this.#entry = entry;
  }

  /** One thing that makes the config unusable: where, what, and what to do. */
  add(place: string, what: string, fix: string): void {
    this.#problems.push(problemLine(this.#entry === undefined ? place : `"${this.#entry}" ${place}`, what, fix));
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

/** One thing that makes a config unusable, for a config of which nothing more can be said (S09). */
export function configError(place: string, what: string, fix: string): BridgeError {
  return new BridgeError('config-invalid', problemLine(place, what, fix));
}

function problemLine(place: string, what: string, fix: string): string {
  return `mcp-bridge ${place}: ${what}; ${fix}`;
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
  const beginning = word.slice(0, QUOTED_MAX_CHARS).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(beginning.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(beginning, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance of two short words. */
function editDistance(left: string, right: string): number {
  const letters = right.split('');
  let distance = letters.length;
  /** Distances of what was read of `left` to each beginning of `right` but the empty one. */
  let row = letters.map((_letter, index) => index + 1);
  for (const [index, letter] of left.split('').entries()) {
    let diagonal = index;
    distance = index + 1;
    row = row.map((above, place) => {
      distance = Math.min(diagonal + (letter === letters[place] ? 0 : 1), above + 1, distance + 1);
      diagonal = above;
      return distance;
    });
  }
  return distance;
}
