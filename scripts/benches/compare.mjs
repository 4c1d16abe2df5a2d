// Comparing things that run in one process at a time: each round measures every variant once, in a new random order, so that
// what the machine does meanwhile hits all alike; ratios are taken within a round, and medians over the rounds.

const NS_PER_US = 1_000;

/**
 * @param {readonly number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @returns {Item[]}
 */
export function shuffled(items) {
  const left = [...items];
  /** @type {Item[]} */
  const out = [];
  while (left.length > 0) out.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return out;
}

/**
 * What was measured: one number a round of each variant.
 * @typedef {{ median: (name: string) => number, worst: (name: string) => number, ratio: (of: string, over: string) => number }} Comparison
 */

/**
 * @param {Record<string, number[]>} measured
 * @returns {Comparison}
 */
function comparison(measured) {
  const of = (/** @type {string} */ name) => measured[name] ?? [];
  return {
    median: (name) => median(of(name)),
    worst: (name) => Math.max(...of(name)),
    ratio: (above, below) => median(of(above).map((value, index) => value / (of(below)[index] ?? Number.NaN))),
  };
}

/**
 * Measures every variant once a round, after one round that does not count.
 * @param {Record<string, () => Promise<number>>} variants each gives a rate or a time
 * @param {number} rounds
 * @returns {Promise<Comparison>}
 */
export async function compare(variants, rounds) {
  const names = Object.keys(variants);
  /** @type {Record<string, number[]>} */
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await variants[name]?.();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(names)) measured[name]?.push((await variants[name]?.()) ?? Number.NaN);
  }
  return comparison(measured);
}

/**
 * The same call by call: in a round every variant is called so many times, one call of each in a new random order, and the
 * median time of its calls counts. What the machine does meanwhile hits single calls, and a median forgets those.
 * @param {Record<string, () => () => Promise<unknown>>} variants each makes a call ready, and gives what is timed
 * @param {{ rounds: number, calls: number }} how
 * @returns {Promise<Comparison>} in microseconds
 */
export async function compareCalls(variants, { calls, rounds }) {
  const names = Object.keys(variants);
  /** @type {Record<string, number[]>} */
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    /** @type {Record<string, number[]>} */
    const times = Object.fromEntries(names.map((name) => [name, []]));
    for (let made = 0; made < calls; made += 1) {
      for (const name of shuffled(names)) {
        const call = variants[name]?.();
        const begin = process.hrtime.bigint();
        await call?.();
        times[name]?.push(Number(process.hrtime.bigint() - begin) / NS_PER_US);
      }
    }
    // The round before the first one warms up.
    if (round >= 0) for (const name of names) measured[name]?.push(median(times[name] ?? []));
  }
  return comparison(measured);
}
