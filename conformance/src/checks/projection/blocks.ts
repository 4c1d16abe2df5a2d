/**
 * Lists of content blocks of every kind, as a server may send them, each with a word of its own to look for.
 */
import * as fc from 'fast-check';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, ownEventsFrom, type PairedCall } from '../../history/views.ts';
import { answeredResult, callsFor, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { fail, inconclusive, type Judgement } from '../check.ts';
import { canary, script, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne } from '../support/steps.ts';

/** The server of all properties about blocks. */
export const SERVER = 'shows';
/** Its tool. */
export const SHOW = 'show';

/** Kinds of blocks. `malformed`: something in the place of a block that is none. */
export const KINDS = ['text', 'link', 'audio', 'resource-text', 'resource-blob', 'image', 'bad-image', 'unknown', 'malformed'] as const;
/** One kind. */
export type Kind = (typeof KINDS)[number];

/** One block before it gets its place: the words in it depend on the place. */
export interface Sketch {
  readonly kind: Kind;
  /** Chooses among variants of a kind. */
  readonly variant: number;
}

/** One list of blocks. */
export type Sketches = readonly Sketch[];

/** One of the smallest PNG images: 1 × 1, grey. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==';

/** The words of the text at one place. Long enough not to occur by chance, with no mark that a bridge would change. */
export const wordsAt = (place: number): string => `words of place ${place} end`;
/** The payload of the block at one place: valid base64 in steps of four letters, 72 of them. */
export const payloadAt = (place: number): string => canary(`Pay${String.fromCodePoint(65 + (place % 26))}${place}x`);
/** The name and URI of the link at one place. */
export const linkAt = (place: number): { readonly name: string; readonly uri: string } => ({ name: `link-${place}-name`, uri: `test://host/link-${place}` });
/** The type of the unknown block at one place. */
export const unknownTypeAt = (place: number): string => `future-kind-${place}`;

const MALFORMED: readonly unknown[] = [null, 7, 'a bare string', [], {}, { text: 'no type' }, { type: 5 }, { type: 'text' }, { type: 'text', text: 9 }, { type: 'resource' }, { type: 'resource_link' }];

/** The block of a sketch at its place. */
export function blockAt({ kind, variant }: Sketch, place: number): unknown {
  const data = payloadAt(place);
  switch (kind) {
    case 'text':
      return { type: 'text', text: wordsAt(place), ...(variant % 2 === 0 ? {} : { annotations: { audience: ['user'] } }) };
    case 'link':
      return { type: 'resource_link', ...linkAt(place), ...(variant % 2 === 0 ? {} : { description: 'a link', mimeType: 'text/plain', size: 3 }) };
    case 'audio':
      return { type: 'audio', data, mimeType: variant % 2 === 0 ? 'audio/wav' : 'audio/x-unheard-of' };
    case 'resource-text':
      return { type: 'resource', resource: { uri: `test://host/text-${place}`, mimeType: 'text/plain', text: 'inside' } };
    case 'resource-blob':
      return { type: 'resource', resource: { uri: `test://host/blob-${place}`, blob: data } };
    case 'image':
      return { type: 'image', data: PNG, mimeType: 'image/png' };
    case 'bad-image':
      return { type: 'image', data, mimeType: ['image/png', 'image/svg+xml', 'text/html'][variant % 3] };
    case 'unknown':
      return { type: unknownTypeAt(place), ...(variant % 2 === 0 ? { data } : { blob: data, nested: { data } }) };
    case 'malformed':
      return MALFORMED[variant % MALFORMED.length];
    default:
      return kind satisfies never;
  }
}

/** Any list of blocks. */
export const sketches: fc.Arbitrary<Sketches> = fc.array(
  fc.record({
    // Texts more often than others: order and joints show only between texts.
    kind: fc.oneof({ weight: 1, arbitrary: fc.constant<Kind>('text') }, { weight: 2, arbitrary: fc.constantFrom(...KINDS) }),
    variant: fc.nat(32),
  }),
  { minLength: 1, maxLength: 8, size: 'max' },
);

/** What a list is an example of. */
export function labelsOf(list: Sketches): string[] {
  const texts = list.map(({ kind }) => kind === 'text');
  return [
    ...new Set(list.map(({ kind }) => kind as string)),
    ...(texts.some((one, at) => one && texts[at + 1] === true) ? ['neighbouring texts'] : []),
    ...(texts.some((one, at) => one && texts[at + 1] === false && texts.slice(at + 2).includes(true)) ? ['text, other, text'] : []),
  ];
}

/** How many inputs a property makes of these lists. */
export const RUNS = 40;
/** So many of {@link RUNS} lists hold each kind at least. */
export const MINIMUMS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, 2])), 'neighbouring texts': 3, 'text, other, text': 3,
};

/** What all properties about blocks do: a server whose tool gives the list. */
export const showing = {
  arbitrary: sketches,
  runs: RUNS,
  labels: labelsOf,
  minimums: MINIMUMS,
  async prepare(bench: Bench): Promise<void> {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SHOW)]));
  },
  exercise: (bench: Bench, list: Sketches): Promise<void> => show(bench, list.map(blockAt)),
} as const;

/** Gives these blocks once. */
export async function show(bench: Bench, content: readonly unknown[], more: object = {}): Promise<void> {
  await openedServer(bench).program(script(SERVER, [tool(SERVER, SHOW, { result: { content: [...content], ...more } })]));
  await ask(bench, SERVER, SHOW);
}

/** The latest call with the blocks that its server sent, or why there is nothing to judge. */
export function shown(history: History): { readonly call: PairedCall; readonly blocks: readonly unknown[] } | Judgement {
  const call = callsFor(history, SHOW).findLast(({ call: { index } }) => index >= ownEventsFrom(history));
  if (call === undefined) return uncalled(history, SERVER, SHOW) ?? inconclusive('no call was made');
  const blocks = answeredResult(call)?.['content'];
  if (!Array.isArray(blocks)) return inconclusive('the server did not answer with content');
  if (call.outcome === undefined) return fail('a call that its server answered never settled', placesOf(call));
  if (replyOf(call)?.outcome !== 'ok') return fail(`blocks that no flag calls an error ended as ${replyOf(call)?.outcome ?? ''}: ${replyOf(call)?.message ?? ''}`, placesOf(call));
  return { call, blocks };
}

/** The text of a block, when it is a text as the specification has it. */
export function textIn(block: unknown): string | undefined {
  return isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : undefined;
}
