// Comparing things that run in one process at a time: each round measures every variant once, in a new random order, so that
// what the machine does meanwhile hits all alike; ratios are taken within a round, and medians over the rounds.

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
 * Measures every variant once a round, after one round that does not count.
 * @param {Record<string, () => Promise<number>>} variants each gives a rate or a time
 * @param {number} rounds
 * @returns {Promise<{ median: (name: string) => number, ratio: (of: string, over: string) => number }>}
 */
export async function compare(variants, rounds) {
  const names = Object.keys(variants);
  /** @type {Record<string, number[]>} */
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await variants[name]?.();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(names)) measured[name]?.push((await variants[name]?.()) ?? Number.NaN);
  }
  const of = (/** @type {string} */ name) => measured[name] ?? [];
  return {
    median: (name) => median(of(name)),
    ratio: (above, below) => median(of(above).map((value, index) => value / (of(below)[index] ?? Number.NaN))),
  };
}
