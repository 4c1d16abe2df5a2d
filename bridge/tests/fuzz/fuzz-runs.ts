/**
 * How often a property is tried, and from which seed. Few times in `npm test`; `npm run fuzz` sets `FUZZ_RUNS` and
 * `FUZZ_SEED` and prints both. fast-check's own message names seed and path of what it finds.
 * @param few runs in `npm test`
 * @param share the part of `FUZZ_RUNS` that is tried where a run costs much; default all
 */
export function fuzzRuns(few: number, share = 1): { numRuns: number; seed?: number } {
  const { FUZZ_RUNS: runs, FUZZ_SEED: seed } = process.env;
  if (runs === undefined) return { numRuns: few };
  return { numRuns: Math.max(few, Math.round(Number(runs) * share)), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
