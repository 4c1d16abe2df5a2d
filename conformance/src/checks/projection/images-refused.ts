/**
 * Images that are no good, or too much: then none of the result is shown, and none is stored.
 */
import * as fc from 'fast-check';
import type { InvariantId } from '../../catalogue/invariant.ts';
import { isObject, ownEventsFrom } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, first, placesOf } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne } from '../support/steps.ts';
import { answered, imagesSeen, imagesSent, IMAGE_HOST, judgeCall, sameImages, SEES, SERVER, showsNoImage, storeCalls, storesNone, witness } from './image-facts.ts';
import { imageBlock, imageBytes, IMAGE_TYPES } from './sample-images.ts';

const DRAW = 'draw';
const HEALTHY = 'draw-healthy';

const encoded = (words: string): string => imageBytes('image/png', words).toString('base64');
const png = (data: unknown, mimeType: unknown = 'image/png'): object => ({ type: 'image', data, mimeType });
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><!-- a picture made of text, long enough to be looked for --></svg>').toString('base64');

/** One way of being no good, with its name. Each gives a block that no other image equals. */
const FAULTS = {
  'line break': (words: string) => png(`${encoded(words).slice(0, 76)}\n${encoded(words).slice(76)}`),
  'url alphabet': (words: string) => png(Buffer.concat([imageBytes('image/png', words), Buffer.alloc(3, 0xff)]).toString('base64url')),
  'no padding': (words: string) => png(padded(words).replace(/=+$/, '')),
  'stray bits': (words: string) => png(padded(words).replace(/(.)==$/, (_, last: string) => `${ALPHABET[ALPHABET.indexOf(last) + 1] ?? ''}==`)),
  'data url': (words: string) => png(`data:image/png;base64,${encoded(words)}`),
  'another type': (words: string) => png(encoded(words), 'image/jpeg'),
  'no image': (words: string) => png(Buffer.from(`plain words, and no picture: ${words}`.repeat(4)).toString('base64')),
  svg: () => png(SVG, 'image/svg+xml'),
  bitmap: (words: string) => png(Buffer.from(`BM${words.repeat(40)}`).toString('base64'), 'image/bmp'),
  empty: () => png(''),
} satisfies Record<string, (words: string) => object>;
type Fault = keyof typeof FAULTS;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** An image whose base64 ends in two characters of padding. */
function padded(words: string): string {
  const bytes = imageBytes('image/png', words);
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 3)) % 3)]).toString('base64');
}

/** What is due of a call with a bad image in it. */
function refusedWhole(history: Parameters<Check['judge']>[0], rawName: string, why: string): Judgement | undefined {
  return judgeCall(history, rawName, (found) => first(showsNoImage(found, why), storesNone(history, found, why)));
}

/** One tool a fault, between two healthy calls. */
function faultCheck(invariant: InvariantId, word: string, faults: readonly Fault[]): Check {
  const nameOf = (fault: Fault): string => `draw-${fault.replaceAll(' ', '-')}`;
  return scripted({
    id: `${invariant}/${word}`,
    invariant,
    async exercise(bench) {
      const tools = faults.map((fault) => tool(SERVER, nameOf(fault), { result: { content: [FAULTS[fault](fault)] } }));
      await openOne(bench, SERVER, script(SERVER, [...tools, tool(SERVER, HEALTHY, { result: { content: [imageBlock('image/png', 'healthy')] } })]), undefined, IMAGE_HOST);
      for (const fault of faults) await ask(bench, SERVER, nameOf(fault), { extra: { agent: SEES } });
      await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
      await bench.close();
    },
    judge(history) {
      return first(witness(history, HEALTHY), ...faults.map((fault) => refusedWhole(history, nameOf(fault), `it is no good: ${fault}`))) ?? pass(`nothing is shown of ${faults.join(', ')}`);
    },
  });
}

/** PROJECTION-022: base64 is canonical or no good. */
export const strictBase64 = faultCheck('PROJECTION-022', 'not-canonical', ['line break', 'url alphabet', 'no padding', 'stray bits', 'data url']);
/** PROJECTION-023: bytes agree with the declared type. */
export const bytesAgree = faultCheck('PROJECTION-023', 'other-bytes', ['another type', 'no image']);
/** PROJECTION-024: four types, no other. */
export const fourTypes = faultCheck('PROJECTION-024', 'other-types', ['svg', 'bitmap']);

/** A result of images of which at least one is no good, by places; `undefined` is a good one. */
type Mixed = readonly (Fault | undefined)[];

const FAULT_NAMES = Object.keys(FAULTS).filter((name): name is Fault => name in FAULTS);
const bad: fc.Arbitrary<Fault | undefined> = fc.constantFrom(...FAULT_NAMES);
const good: fc.Arbitrary<Fault | undefined> = fc.constant(undefined);

/** Every way for bad and good ones to stand is as likely as another. */
const anyMixed: fc.Arbitrary<Mixed> = fc.oneof(fc.tuple(good, bad), fc.tuple(bad, good), fc.tuple(good, bad, good), fc.tuple(bad, bad), fc.tuple(bad));

/** PROJECTION-025: one bad image refuses them all, and each leaves words. */
export const allOrNone = property<Mixed>({
  id: 'PROJECTION-025/one-bad-image',
  invariant: 'PROJECTION-025',
  arbitrary: anyMixed,
  runs: 30,
  labels: (mixed) => [
    ...(mixed.includes(undefined) ? ['a good one among them'] : ['bad ones alone']),
    ...(mixed.length > 1 && mixed[0] === undefined ? ['a good one first'] : []),
    ...(mixed.length > 1 && mixed.at(-1) === undefined ? ['a good one last'] : []),
  ],
  minimums: { 'a good one among them': 3, 'a good one first': 2, 'a good one last': 2 },
  async prepare(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, DRAW), tool(SERVER, HEALTHY, { result: { content: [imageBlock('image/gif', 'healthy')] } })]), undefined, IMAGE_HOST);
    await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
    // Its answer has to be in the history before the first input begins: it is the witness of all.
    await bench.flush();
  },
  async exercise(bench, mixed) {
    const content = mixed.flatMap((fault, at) => [
      fault === undefined ? imageBlock('image/png', `good at ${at}`) : FAULTS[fault](`bad at ${at}`), { type: 'text', text: wordsAfter(at) },
    ]);
    await openedServer(bench).program(script(SERVER, [tool(SERVER, DRAW, { result: { content } }), tool(SERVER, HEALTHY)]));
    await ask(bench, SERVER, DRAW, { extra: { agent: SEES } });
  },
  judge(history) {
    const call = callsFor(history, DRAW).findLast(({ call: { index } }) => index >= ownEventsFrom(history));
    const found = answered(history, call, DRAW);
    if ('verdict' in found) return found;
    const doubt = witness(history, HEALTHY);
    if (doubt !== undefined) return doubt;
    // Nothing is refused for its bytes by who does not look into them (PROJECTION-023): then all are shown.
    if (!found.blocks.some(isRefusedByAll) && sameImages(imagesSeen(found.view), imagesSent(found.blocks))) return pass('no image of it was refused, and each is shown');
    const whole = first(showsNoImage(found, 'another one of the result is no good'), storesNone(history, found, 'another one of the result is no good'));
    if (whole !== undefined) return whole;
    const seen = found.view.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    let from = 0;
    for (const [at] of found.blocks.filter((block) => isObject(block) && block['type'] === 'text').entries()) {
      const end = seen.indexOf(wordsAfter(at), from);
      if (end === -1) return fail(`"${wordsAfter(at)}" is not shown: ${seen}`, placesOf(found.call));
      if (!/[\p{L}\p{N}]/u.test(seen.slice(from, end))) return fail(`nothing stands in the place of image ${at + 1}: ${seen}`, placesOf(found.call));
      from = end + wordsAfter(at).length;
    }
    return pass('no image is shown, and each left words');
  },
});

/** Whether a block is an image that is no good to anybody (PROJECTION-022, -024). */
function isRefusedByAll(block: unknown): boolean {
  if (!isObject(block) || block['type'] !== 'image') return false;
  const { data, mimeType } = block;
  return typeof data !== 'string' || Buffer.from(data, 'base64').toString('base64') !== data || !IMAGE_TYPES.some((type) => type === mimeType);
}

const wordsAfter = (at: number): string => `words behind image ${at} end`;

/** PROJECTION-025: a store that refuses. */
export const storeRefuses = scripted({
  id: 'PROJECTION-025/store-refuses',
  invariant: 'PROJECTION-025',
  async exercise(bench) {
    const content = [imageBlock('image/png', 'one to refuse'), { type: 'text', text: 'between them' }, imageBlock('image/gif', 'another to refuse')];
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, DRAW, { result: { content } }), tool(SERVER, HEALTHY, { result: { content: [imageBlock('image/png', 'healthy')] } })]), undefined, IMAGE_HOST);
    await bench.setHost({ attachmentStore: 'refusing' });
    await ask(bench, SERVER, DRAW, { extra: { agent: SEES } });
    await bench.setHost({ attachmentStore: 'memory' });
    await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
    await bench.close();
  },
  judge(history) {
    return first(
      witness(history, HEALTHY),
      judgeCall(history, DRAW, (found) => {
        const why = 'the store refused the batch';
        if (imagesSeen(found.view).length > 0) return showsNoImage(found, why);
        const asked = storeCalls(history).some(({ index }) => index > found.call.call.index && index < (found.call.outcome?.index ?? 0));
        return asked ? undefined : inconclusive('the host told of no call of the refusing store');
      }),
    ) ?? pass('nothing is shown of what the store refused');
  },
});

/** A tool that draws so many images, with so long a comment in each. */
function drawn(name: string, count: number, letters?: number) {
  return tool(SERVER, name, { result: { content: Array.from({ length: count }, (_, at) => imageBlock('image/gif', `${name}, number ${at}`, letters)) } });
}

/** PROJECTION-035: bounds that the entry sets. */
export const bounded = scripted({
  id: 'PROJECTION-035/set-by-options',
  invariant: 'PROJECTION-035',
  options: ['maxImageBytes', 'maxImagesPerResult'],
  async exercise(bench) {
    const tools = [drawn('draw-three', 3), drawn('draw-large', 1, 4_000), drawn(HEALTHY, 2)];
    await openOne(bench, SERVER, script(SERVER, tools), { maxImageBytes: 3_000, maxImagesPerResult: 2 }, IMAGE_HOST);
    for (const name of ['draw-three', 'draw-large', HEALTHY]) await ask(bench, SERVER, name, { extra: { agent: SEES } });
    await bench.close();
  },
  judge: (history) =>
    first(witness(history, HEALTHY), refusedWhole(history, 'draw-three', 'the result has more images than it may'), refusedWhole(history, 'draw-large', 'it is larger than it may be')) ??
    pass('what is above a bound is not shown'),
});
