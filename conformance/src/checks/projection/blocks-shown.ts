/**
 * What of a list of blocks the model sees.
 */
import type { ViewBlock } from '../../adapter/messages.ts';
import type { History } from '../../history/schema.ts';
import { isObject, textOf } from '../../history/views.ts';
import { fail, pass, property, type Judgement } from '../check.ts';
import { placesOf, replyOf } from '../support/facts.ts';
import { blockAt, KINDS, show, showing, shown, sketches, textIn, wordsAt, type Sketches } from './blocks.ts';

/** Judges the latest call when there is one to judge. */
function judging(judge: (view: readonly ViewBlock[], blocks: readonly unknown[], fails: (message: string) => Judgement) => Judgement) {
  return (history: History): Judgement => {
    const found = shown(history);
    if ('verdict' in found) return found;
    return judge(replyOf(found.call)?.view ?? [], found.blocks, (message) => fail(message, placesOf(found.call)));
  };
}

const textsIn = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');
const textsOf = (blocks: readonly unknown[]): string[] => blocks.flatMap((block) => textIn(block) ?? []);

/** PROJECTION-001: whole texts in their order. */
export const textsInOrder = property<Sketches>({
  id: 'PROJECTION-001/any-blocks',
  invariant: 'PROJECTION-001',
  ...showing,
  judge: judging((view, blocks, fails) => {
    const seen = textOf(view);
    let from = 0;
    for (const text of textsOf(blocks)) {
      const at = seen.indexOf(text, from);
      if (at === -1) {
        return fails(seen.includes(text) ? `"${text}" is shown before a text that the server sent earlier` : `"${text}" is not shown: ${JSON.stringify(seen)}`);
      }
      from = at + text.length;
    }
    return pass('every text is shown, in order');
  }),
});

/** The words by which what is shown of a block is known, whatever stands around them: its text, the name and URI of a link, its unknown type. */
function wordsOf(block: unknown): string[] {
  const text = textIn(block);
  if (text !== undefined) return [text];
  if (!isObject(block)) return [];
  if (block['type'] === 'resource_link') return textsIn([block['name'], block['uri']]);
  return textsIn([block['type']]).filter((type) => type.startsWith('future-kind-'));
}

/** A place where a text meets something that is shown as text, or two such things meet, without a newline between. */
function looseJoint(seen: string, blocks: readonly unknown[]): string | undefined {
  for (const [at, block] of blocks.entries()) {
    const text = textIn(block);
    if (text !== undefined && at > 0 && !seen.includes(`\n${text}`)) return `"${text}" does not begin a line of its own`;
    if (text !== undefined && at < blocks.length - 1 && !seen.includes(`${text}\n`)) return `"${text}" does not end its line`;
    const ends = wordsOf(block).map((word) => seen.indexOf(word) + word.length);
    const starts = wordsOf(blocks[at + 1]).map((word) => seen.indexOf(word));
    // What is not shown at all is another judge's.
    if (ends.length === 0 || starts.length === 0 || starts.includes(-1)) continue;
    const between = seen.slice(Math.max(...ends), Math.min(...starts));
    if (!between.includes('\n')) return `no newline stands between ${JSON.stringify(block)} and what follows it`;
  }
  return undefined;
}

/** PROJECTION-002: one text block, joined by newlines. */
export const oneTextBlock = property<Sketches>({
  id: 'PROJECTION-002/any-blocks',
  invariant: 'PROJECTION-002',
  ...showing,
  judge: judging((view, blocks, fails) => {
    if (view.some((block, at) => block.type === 'text' && view[at + 1]?.type === 'text')) return fails('two text blocks stand side by side');
    if (!view.some(({ type }) => type === 'image') && view.length !== 1) return fails(`a result without an image is ${view.length} blocks`);
    const seen = textOf(view);
    for (const [at, block] of blocks.entries()) {
      const [text, next] = [textIn(block), textIn(blocks[at + 1])];
      if (text !== undefined && next !== undefined && !seen.includes(`${text}\n${next}`)) return fails(`"${text}" and "${next}" are not joined by a newline`);
    }
    const loose = view.some(({ type }) => type === 'image') ? undefined : looseJoint(seen, blocks);
    return loose === undefined ? pass('text stands in one block, joined by newlines') : fails(loose);
  }),
});

/** PROJECTION-003: name and URI of links. */
export const linksKept = property<Sketches>({
  id: 'PROJECTION-003/any-blocks',
  invariant: 'PROJECTION-003',
  ...showing,
  judge: judging((view, blocks, fails) => {
    const seen = textOf(view);
    for (const block of blocks) {
      if (!isObject(block) || block['type'] !== 'resource_link') continue;
      const lost = textsIn([block['name'], block['uri']]).find((part) => !seen.includes(part));
      if (lost !== undefined) return fails(`"${lost}" of a resource link is not shown`);
    }
    return pass('every link shows its name and its URI');
  }),
});

/** PROJECTION-005: unknown types are named. */
export const unknownNamed = property<Sketches>({
  id: 'PROJECTION-005/any-blocks',
  invariant: 'PROJECTION-005',
  ...showing,
  judge: judging((view, blocks, fails) => {
    const seen = textOf(view);
    const types = textsIn(blocks.map((block) => (isObject(block) ? block['type'] : undefined)));
    const unnamed = types.find((type) => type.startsWith('future-kind-') && !seen.includes(type));
    return unnamed === undefined ? pass('every unknown type is named') : fails(`a block of the unknown type "${unnamed}" is not named`);
  }),
});

/** Odd blocks between two texts each, so that their place in the view is known without knowing their wording. */
const sandwiched = sketches.map((list): Sketches => [
  { kind: 'text', variant: 0 },
  ...list.filter(({ kind }) => kind !== 'text').flatMap((odd): Sketches => [odd, { kind: 'text', variant: 0 }]),
]);

/** PROJECTION-004: something stands in the place of every block. */
export const everyBlockVisible = property<Sketches>({
  id: 'PROJECTION-004/between-texts',
  invariant: 'PROJECTION-004',
  ...showing,
  arbitrary: sandwiched,
  labels: (list) => [...new Set(list.map(({ kind }) => kind))],
  minimums: Object.fromEntries(KINDS.filter((kind) => kind !== 'text').map((kind) => [kind, 2])),
  exercise: (bench, list) => show(bench, list.map(blockAt)),
  judge: judging((view, blocks, fails) => {
    // An image stands for itself; its place is marked so that it counts as something to see.
    const seen = view.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
    for (const [at, block] of blocks.entries()) {
      const [before, after] = [textIn(blocks[at - 1]), textIn(blocks[at + 1])];
      if (before === undefined || after === undefined) continue;
      const start = seen.indexOf(wordsAt(at - 1));
      const end = seen.indexOf(wordsAt(at + 1));
      if (start === -1 || end < start) return fails('the texts around a block are not shown in order');
      const between = seen.slice(start + wordsAt(at - 1).length, end);
      if (!/[\p{L}\p{N}]/u.test(between)) return fails(`a block disappeared: ${JSON.stringify(block)}`);
    }
    return pass('every block left something to see');
  }),
});

