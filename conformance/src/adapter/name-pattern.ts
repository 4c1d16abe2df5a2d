/**
 * The pattern that a subject declares for its names. It is a stranger's, so it is matched by an engine whose time is in
 * proportion to the name, whatever the pattern: with the engine of JavaScript one pattern could keep a judge for ever.
 */
import { RE2JS } from 're2js';

/** The longest pattern that is taken, in characters: room for any alphabet, and compiled in some milliseconds. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Whether a name matches, whole. */
export type NameMatcher = (name: string) => boolean;

/** The last one, since a judge asks for the same pattern with each name. */
let last: { readonly pattern: string; readonly matches: NameMatcher } | undefined;

/**
 * Makes a pattern ready. It is written as in JavaScript, without what needs to try again: look-around and back references.
 * @throws Error that says what is wrong with it
 */
export function nameMatcher(pattern: string): NameMatcher {
  if (last?.pattern === pattern) return last.matches;
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const matches: NameMatcher = (name) => compiled.testExact(name);
  last = { pattern, matches };
  return matches;
}

/** What is wrong with a pattern, in words of one line; `undefined` when it can be used. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined; // Its length is told, and it is not compiled.
  try {
    nameMatcher(pattern);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    return `${JSON.stringify(pattern)} is no regular expression that is taken here (${why}); write it without look-around, back references and repeats above 1000`;
  }
}
