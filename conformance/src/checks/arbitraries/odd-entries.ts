/** Entries of a tool list as no server should send them, and some do (R11, R12, R14). */
import * as fc from 'fast-check';
import { oneOfEach } from './one-of-each.ts';

/** One odd entry. */
export interface OddEntry {
  readonly kind: string;
  /** What makes its name differ from those of other inputs. */
  readonly salt: number;
}

const root = { type: 'object' };

/** Entries that still have a name. */
const NAMED: Readonly<Record<string, object>> = {
  'no-schema': {},
  'empty-schema': { inputSchema: {} },
  'null-schema': { inputSchema: null },
  'text-schema': { inputSchema: 'object' },
  'list-schema': { inputSchema: [] },
  'true-schema': { inputSchema: true },
  'root-any-of': { inputSchema: { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }, {}] } },
  'array-root': { inputSchema: { type: 'array', items: {} } },
  'dangling-input': { inputSchema: { type: 'object', properties: { query_model: { $ref: '#/$defs/ScheduleQuery' } } } },
  'dangling-output': { inputSchema: root, outputSchema: { type: 'object', properties: { screen: { $ref: '#/$defs/ScreenInstance' } } } },
  'text-output': { inputSchema: root, outputSchema: 'object' },
  'array-output': { inputSchema: root, outputSchema: { type: 'array' } },
  'bad-pattern': { inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
  'number-description': { inputSchema: root, description: 42 },
  'null-description': { inputSchema: root, description: null },
  'number-title': { inputSchema: root, title: 7 },
  'text-annotations': { inputSchema: root, annotations: 'read-only' },
  'null-meta': { inputSchema: root, _meta: null },
  'text-icons': { inputSchema: root, icons: 'icon.png' },
  'odd-execution': { inputSchema: root, execution: 'later' },
  'unknown-members': { inputSchema: root, colour: 'green', input_schema: root },
};

/** Entries without a name that is text. */
const NAMELESS: Readonly<Record<string, unknown>> = {
  null: null,
  text: 'tool',
  number: 42,
  list: [],
  'empty-object': {},
  'number-name': { name: 7, inputSchema: root },
  'null-name': { name: null, inputSchema: root },
};

/** One of each kind, in random order. */
export const oddEntries: fc.Arbitrary<OddEntry[]> = oneOfEach(
  [...Object.keys(NAMED), ...Object.keys(NAMELESS)].map((kind) => fc.record({ kind: fc.constant(kind), salt: fc.nat(0xffff) })),
);

/** The raw name of a named entry; `undefined` for the others. */
export function oddName({ kind, salt }: OddEntry): string | undefined {
  return Object.hasOwn(NAMED, kind) ? `odd_${kind}_${salt.toString(16)}` : undefined;
}

/** The entry as it is listed. */
export function oddListed(entry: OddEntry): unknown {
  const name = oddName(entry);
  return name === undefined ? NAMELESS[entry.kind] : { name, ...NAMED[entry.kind] };
}

/** How many inputs hold each kind at least. */
export function oddMinimums(runs: number): Readonly<Record<string, number>> {
  return Object.fromEntries([...Object.keys(NAMED), ...Object.keys(NAMELESS)].map((kind) => [kind, runs]));
}
