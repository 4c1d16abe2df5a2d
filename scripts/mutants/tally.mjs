// What a run of the mutants comes to, beyond each line by itself.

/** @typedef {import('../mutants-worker.mjs').MutantLine} MutantLine */

/**
 * Checks that found no mutant of their invariant. Only lines of all mutants can tell.
 * @param {readonly string[]} checks
 * @param {readonly MutantLine[]} lines
 */
export function idleChecks(checks, lines) {
  const busy = new Set(lines.flatMap(({ by }) => by));
  return checks.filter((id) => !busy.has(id));
}

/**
 * What an earlier run knew of mutants that were not asked for now: it keeps its place in the results.
 * @param {readonly MutantLine[]} known
 * @param {readonly string[]} asked
 */
export function notAsked(known, asked) {
  return known.filter(({ id }) => !asked.includes(id));
}
