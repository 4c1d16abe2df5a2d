/** Lists and what becomes of them: tools that stay, change, come and go, in any order. */
import * as fc from 'fast-check';
import { oneOfEach } from './one-of-each.ts';

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

/** What becomes of one tool. */
type Fate = 'added' | 'removed' | 'changed' | 'unchanged';

const anyFate = fc.constantFrom<Fate>('added', 'removed', 'changed', 'unchanged');

/** Each fate at least once, two tools that stay, so that they can change places, and some more. */
const fates = oneOfEach<Fate>([
  fc.constant('added'), fc.constant('removed'), fc.constant('changed'), fc.constant('unchanged'), fc.constant('unchanged'), anyFate, anyFate, anyFate,
]);

const orders = {
  same: (tools: readonly Versioned[]) => [...tools],
  reversed: (tools: readonly Versioned[]) => tools.toReversed(),
  rotated: (tools: readonly Versioned[]) => [...tools.slice(1), ...tools.slice(0, 1)],
} as const;

/** A change of a list. */
export const listChange: fc.Arbitrary<ListChange> = fc
  .record({ fates, order: fc.constantFrom('same', 'reversed', 'rotated'), shift: fc.nat(NAMES.length - 1) })
  .map(({ fates: given, order, shift }) => {
    const tools = given.map((fate, at) => ({ fate, name: NAMES[(at + shift) % NAMES.length] ?? NAMES[0] }));
    const before = tools.filter(({ fate }) => fate !== 'added').map(({ name }): Versioned => ({ name, version: 1 }));
    const after = tools.filter(({ fate }) => fate !== 'removed').map(({ name, fate }): Versioned => ({ name, version: fate === 'changed' ? 2 : 1 }));
    return { before, after: orders[order](after) };
  });

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

/** How many of so many inputs hold each kind at least. Two of three are reordered; every other kind is in each of them. */
export function changeMinimums(runs: number): Readonly<Record<string, number>> {
  return { added: runs, removed: runs, changed: runs, unchanged: runs, reordered: Math.ceil(runs / 6) };
}
