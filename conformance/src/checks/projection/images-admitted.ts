/**
 * Who gets images: a call for an agent whose route declares them, in a host with a store, as things are now.
 */
import type { Bench } from '../../bench/bench.ts';
import type { HostChange } from '../../adapter/messages.ts';
import { fail, pass, scripted, type Judgement } from '../check.ts';
import { first, placesOf } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { imagesSeen, imagesSent, IMAGE_HOST, judgeCall, READS, sameImages, SEES, SERVER, showsNoImage, SILENT, storesNone, witness } from './image-facts.ts';
import { imageBlock } from './sample-images.ts';

/** One call of a tool of its own, under the conditions it is made in. */
interface Case {
  readonly name: string;
  readonly agent?: string;
  readonly change?: HostChange;
  readonly shows: boolean;
  readonly why: string;
}

const before = 'words before';
const after = 'words after';

async function callEach(bench: Bench, cases: readonly Case[]): Promise<void> {
  const tools = cases.map(({ name }) => tool(SERVER, name, { result: { content: [{ type: 'text', text: before }, imageBlock('image/png', `drawn by ${name}`), { type: 'text', text: after }] } }));
  await openOne(bench, SERVER, script(SERVER, tools), undefined, IMAGE_HOST);
  for (const { name, agent, change } of cases) {
    if (change !== undefined) await bench.setHost(change);
    await ask(bench, SERVER, name, agent === undefined ? {} : { extra: { agent } });
  }
  await bench.close();
}

function judgeEach(history: Parameters<typeof judgeCall>[0], cases: readonly Case[]): Judgement | undefined {
  return first(...cases.map(({ name, shows, why }) =>
    judgeCall(history, name, (found) => {
      const { view, blocks, call } = found;
      if (shows) return sameImages(imagesSeen(view), imagesSent(blocks)) ? undefined : fail(`no image is shown although ${why}`, placesOf(call));
      const text = view.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      const [start, end] = [text.indexOf(before), text.indexOf(after)];
      if (start === -1 || end < start) return fail('the texts around an image that is not shown are lost', placesOf(call));
      if (!/[\p{L}\p{N}]/u.test(text.slice(start + before.length, end)) && imagesSeen(view).length === 0) return fail(`the image left nothing to see, and ${why}`, placesOf(call));
      return first(showsNoImage(found, why), storesNone(history, found, why));
    }),
  ));
}

const CAPABILITY: readonly Case[] = [
  { name: 'draw-no-agent', shows: false, why: 'the call was made for no agent' },
  { name: 'draw-silent', agent: SILENT, shows: false, why: 'its route declares nothing' },
  { name: 'draw-reads', agent: READS, shows: false, why: 'its route declares text only' },
  { name: 'draw-unknown', agent: 'unheard-of', shows: false, why: 'its route cannot be looked up' },
  { name: 'draw-no-store', agent: SEES, change: { attachmentStore: 'none' }, shows: false, why: 'there is no attachment store' },
  { name: 'draw-sees', agent: SEES, change: { attachmentStore: 'memory' }, shows: true, why: 'store and route are there' },
];

/** PROJECTION-026: nobody else gets images. */
export const onlyCapable = scripted({
  id: 'PROJECTION-026/each-lack',
  invariant: 'PROJECTION-026',
  exercise: (bench) => callEach(bench, CAPABILITY),
  judge: (history) => first(witness(history, 'draw-sees'), judgeEach(history, CAPABILITY)) ?? pass('images are shown only where a route declares them and a store takes them'),
});

const TEXT_ONLY: HostChange = { routes: { [SEES]: { inputModalities: ['text'] } } };
const WITH_IMAGES: HostChange = { routes: { [SEES]: { inputModalities: ['text', 'image'] } } };
const CHANGES: readonly Case[] = [
  { name: 'draw-first', agent: SEES, shows: true, why: 'store and route are there' },
  { name: 'draw-store-gone', agent: SEES, change: { attachmentStore: 'none' }, shows: false, why: 'the store is gone' },
  { name: 'draw-store-back', agent: SEES, change: { attachmentStore: 'memory' }, shows: true, why: 'the store is back' },
  { name: 'draw-route-changed', agent: SEES, change: TEXT_ONLY, shows: false, why: 'the route no longer declares images' },
  { name: 'draw-route-back', agent: SEES, change: WITH_IMAGES, shows: true, why: 'the route declares images again' },
  { name: 'draw-other-agent', agent: READS, shows: false, why: 'this agent\'s route declares text only' },
  { name: 'draw-last', agent: SEES, shows: true, why: 'store and route are there' },
];

/** PROJECTION-027: as things are now. */
export const lookedUpEachTime = scripted({
  id: 'PROJECTION-027/host-changes',
  invariant: 'PROJECTION-027',
  exercise: (bench) => callEach(bench, CHANGES),
  judge: (history) => first(witness(history, 'draw-first'), judgeEach(history, CHANGES)) ?? pass('each call follows the host as it is then'),
});
