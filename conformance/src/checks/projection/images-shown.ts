/**
 * Images that are admitted: at their places, and stored as one batch.
 */
import * as fc from 'fast-check';
import type { ViewBlock } from '../../adapter/messages.ts';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, ownEventsFrom } from '../../history/views.ts';
import { fail, inconclusive, pass, property, type Judgement } from '../check.ts';
import { callsFor, placesOf } from '../support/facts.ts';
import { canary, script, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne } from '../support/steps.ts';
import { answered, imagesSeen, imagesSent, IMAGE_HOST, sameImages, SEES, SERVER, storeCalls, type AnsweredCall } from './image-facts.ts';
import { IMAGE_TYPES, imageBlock } from './sample-images.ts';

const DRAW = 'draw';

/** One block before it gets its place. `again`: the image before it once more. */
type Sketch = (typeof IMAGE_TYPES)[number] | 'text' | 'audio' | 'again';
interface Batch {
  readonly blocks: readonly Sketch[];
  readonly isStructured: boolean;
}

const image = fc.constantFrom<Sketch[]>(...IMAGE_TYPES);
const fixed = (sketch: Sketch): fc.Arbitrary<Sketch> => fc.constant(sketch);

/** What stands side by side is chosen as one, so that every way of standing is certain to be tried with any seed. */
const phrase = fc.oneof(
  fc.tuple(fixed('text'), image, fixed('text')), fc.tuple(image, image), fc.tuple(image, fixed('again')), fc.tuple(fixed('audio'), image), fc.tuple(image),
);

const anyBatch: fc.Arbitrary<Batch> = fc.record({
  blocks: fc.array(phrase, { minLength: 1, maxLength: 3, size: 'max' }).map((phrases): readonly Sketch[] => phrases.flat()),
  isStructured: fc.boolean(),
});

const isImage = (sketch: Sketch | undefined): boolean => sketch !== undefined && sketch !== 'text' && sketch !== 'audio';

function labelsOf({ blocks, isStructured }: Batch): string[] {
  return [
    ...new Set(blocks),
    ...(blocks.some((one, at) => isImage(one) && isImage(blocks[at + 1])) ? ['neighbouring images'] : []),
    ...(blocks.some((one, at) => one === 'text' && isImage(blocks[at + 1]) && blocks[at + 2] === 'text') ? ['an image between texts'] : []),
    ...(isStructured ? ['beside structured content'] : []),
  ];
}

function blocksOf({ blocks }: Batch): object[] {
  const made: object[] = [];
  for (const [place, sketch] of blocks.entries()) {
    if (sketch === 'text') made.push({ type: 'text', text: `words at ${place} end` });
    else if (sketch === 'audio') made.push({ type: 'audio', mimeType: 'audio/wav', data: canary(`Snd${place}x`) });
    else if (sketch === 'again') made.push(made.findLast((block) => isObject(block) && block['type'] === 'image') ?? imageBlock('image/png', `first at ${place}`));
    else made.push(imageBlock(sketch, `drawn at ${place}`));
  }
  return made;
}

/** What both properties do. */
const drawing = {
  invariant: 'PROJECTION-020',
  arbitrary: anyBatch,
  labels: labelsOf,
  async prepare(bench: Bench): Promise<void> {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, DRAW)]), undefined, IMAGE_HOST);
  },
  async exercise(bench: Bench, batch: Batch): Promise<void> {
    const result = { content: blocksOf(batch), ...(batch.isStructured ? { structuredContent: { kept: true } } : {}) };
    await openedServer(bench).program(script(SERVER, [tool(SERVER, DRAW, { result })]));
    await ask(bench, SERVER, DRAW, { extra: { agent: SEES } });
  },
} as const;

function latest(history: History): AnsweredCall | Judgement {
  return answered(history, callsFor(history, DRAW).findLast(({ call: { index } }) => index >= ownEventsFrom(history)), DRAW);
}

/** A view in one line, images by their digests: so places can be compared whatever stands between. */
function flat(view: readonly ViewBlock[]): string {
  return view.map((block) => (block.type === 'text' ? block.text : `<${block.sha256}>`)).join('\n');
}

/** PROJECTION-020: the images that were sent, where they were sent. */
export const imagesInPlace = property<Batch>({
  id: 'PROJECTION-020/any-batch',
  ...drawing,
  runs: 30,
  minimums: {
    'image/png': 2, 'image/jpeg': 2, 'image/webp': 2, 'image/gif': 2, audio: 1, again: 1, 'neighbouring images': 2, 'an image between texts': 1,
    'beside structured content': 3,
  },
  judge(history): Judgement {
    const found = latest(history);
    if ('verdict' in found) return found;
    const { blocks, view, call } = found;
    const [seen, sent] = [imagesSeen(view), imagesSent(blocks)];
    if (!sameImages(seen, sent)) return fail(`${sent.length} images were sent, and ${seen.length} are shown: ${JSON.stringify(seen)} for ${JSON.stringify(sent)}`, placesOf(call));
    const line = flat(view);
    let from = 0;
    let place = 0;
    for (const block of blocks) {
      if (!isObject(block) || (block['type'] !== 'image' && block['type'] !== 'text')) continue;
      const wanted = block['type'] === 'text' ? String(block['text']) : `<${sent[place++]?.sha256 ?? ''}>`;
      const at = line.indexOf(wanted, from);
      if (at === -1) return fail(`${wanted} is not shown where it was sent: ${line}`, placesOf(call));
      from = at + wanted.length;
    }
    return pass(`${sent.length} images stand where they were sent`);
  },
});

/** PROJECTION-021: one call of the store, in order. */
export const oneStoreCall = property<Batch>({
  id: 'PROJECTION-021/any-batch',
  ...drawing,
  invariant: 'PROJECTION-021',
  runs: 15,
  minimums: { 'neighbouring images': 1 },
  judge(history): Judgement {
    const found = latest(history);
    if ('verdict' in found) return found;
    const sent = imagesSent(found.blocks);
    const calls = storeCalls(history).filter(({ index }) => index >= found.call.call.index);
    const [only] = calls;
    if (only === undefined) return inconclusive('the host told of no call of the store');
    const evidence = [...placesOf(found.call), ...calls.map(({ index }) => index)];
    if (calls.length > 1) return fail(`the store was called ${calls.length} times for one result`, evidence);
    return sameImages(only.event, sent) ? pass(`one call of the store with ${sent.length} images`) : fail(`the store was given ${JSON.stringify(only.event)} for ${JSON.stringify(sent)}`, evidence);
  },
});
