/** Lists and what becomes of them: tools that stay, change, come and go, in any order. */
import * as fc from 'fast-check';

/** One tool of one list. Two tools of one name and one version are the same. */
export interface Versioned {
  readonly name: string;
  readonly version: number;
}

/** A list that is shown first and one that replaces it. */
export interface ListChange {
  readonly before: readonly Versioned[];
  readonly after: readonly Versioned[];
}

const NAMES = ['anchor', 'b.dotted', 'c', 'd_d', 'e-e', 'f'.repeat(70), 'größe', 'h/h', 'i', 'j'] as const;

const list: fc.Arbitrary<Versioned[]> = fc
  .shuffledSubarray([...NAMES], { minLength: 1 })
  .chain((names) => fc.array(fc.integer({ min: 1, max: 2 }), { minLength: names.length, maxLength: names.length })
    .map((versions) => names.map((name, at): Versioned => ({ name, version: versions[at] ?? 1 }))));

/** Both at random over ten names; so each kind of change is in almost every pair. */
const anyChange = fc.record({ before: list, after: list });

/** The same tools in another order, and nothing else. */
const reordered = list.chain((before) => fc.shuffledSubarray(before, { minLength: before.length }).map((after) => ({ before, after })));

/** A change of a list. */
export const listChange: fc.Arbitrary<ListChange> = fc.oneof({ weight: 4, arbitrary: anyChange }, { weight: 1, arbitrary: reordered });

function find(tools: readonly Versioned[], name: string): Versioned | undefined {
  return tools.find((tool) => tool.name === name);
}

/** What happens between the two lists. */
export function changeKindsOf({ before, after }: ListChange): string[] {
  const stayed = after.filter(({ name }) => find(before, name) !== undefined).map(({ name }) => name);
  const order = before.map(({ name }) => name).filter((name) => stayed.includes(name));
  return [
    ...(after.some(({ name }) => find(before, name) === undefined) ? ['added'] : []),
    ...(before.some(({ name }) => find(after, name) === undefined) ? ['removed'] : []),
    ...(after.some(({ name, version }) => find(before, name)?.version === 3 - version) ? ['changed'] : []),
    ...(after.some(({ name, version }) => find(before, name)?.version === version) ? ['unchanged'] : []),
    ...(stayed.some((name, at) => order[at] !== name) ? ['reordered'] : []),
  ];
}

/** How many of so many inputs hold each kind at least. Each is in two thirds of them or more; this is far below. */
export function changeMinimums(runs: number): Readonly<Record<string, number>> {
  const least = Math.floor(runs / 6);
  return { added: least, removed: least, changed: least, unchanged: least, reordered: least };
}
