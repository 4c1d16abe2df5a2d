/**
 * Calls that get no images: the tool failed, or the caller gave up.
 */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, begin, openOne, settle } from '../support/steps.ts';
import { heldAtGate, imagesSeen, IMAGE_HOST, isHeldAt, routeLookups, SEES, SERVER, storeCalls, witness } from './image-facts.ts';
import { digestOf, imageBlock } from './sample-images.ts';

const FIRST = 'draw-first';
const LAST = 'draw-last';
const SPOILT = 'draw-spoilt';

const picture = (name: string) => imageBlock('image/png', `drawn by ${name}`);
const drawing = (name: string, more: object = {}) => tool(SERVER, name, { result: { content: [{ type: 'text', text: 'seen' }, picture(name)], ...more } });
const spoiltDigest = digestOf(picture(SPOILT).data);
const asking = { extra: { agent: SEES } } as const;

/** Positions at which the store was given the image of the spoilt call. */
function storedSpoilt(history: History): number[] {
  return storeCalls(history).flatMap(({ index, event }) => (event.some(({ sha256 }) => sha256 === spoiltDigest) ? [index] : []));
}

/** The host tells of lookups and of the store: seen with the healthy calls before and after. */
function hostTells(history: History): Judgement | undefined {
  const doubt = first(witness(history, FIRST), witness(history, LAST));
  if (doubt !== undefined) return doubt;
  const told = storeCalls(history).length - storedSpoilt(history).length >= 2;
  return told ? undefined : inconclusive('the host does not tell of the calls of its store');
}

/** PROJECTION-028: a failure. */
export const failuresStoreNothing = scripted({
  id: 'PROJECTION-028/tool-error',
  invariant: 'PROJECTION-028',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [drawing(FIRST), drawing(SPOILT, { isError: true }), drawing(LAST)]), undefined, IMAGE_HOST);
    for (const name of [FIRST, SPOILT, LAST]) await ask(bench, SERVER, name, asking);
    await bench.close();
  },
  judge(history) {
    const call = callFor(history, SPOILT);
    if (call === undefined) return uncalled(history, SERVER, SPOILT) ?? inconclusive('the failing tool was not called');
    const { answer, outcome } = call;
    if (answer === undefined) return inconclusive('the failing tool did not answer');
    const doubt = hostTells(history);
    if (doubt !== undefined) return doubt;
    const stored = storedSpoilt(history);
    if (stored.length > 0) return fail('the image of a failure was given to the store', [...placesOf(call), ...stored]);
    // Before the answer nobody knows what it will be: who looks up each route before it calls does so for no failure.
    const looked = routeLookups(history).filter(({ index }) => index > answer.index && index < (outcome?.index ?? Infinity));
    if (looked.length > 0) return fail('a route was looked up for a failure', [...placesOf(call), ...looked.map(({ index }) => index)]);
    return imagesSeen(replyOf(call)?.view ?? []).length > 0 ? fail('a failure shows an image', placesOf(call)) : pass('a failure touches neither store nor routes');
  },
});

/** Cancels a call that waits at a gate of the host, lets it go on, and calls again. */
async function cancelAt(bench: Bench, gate: 'route-lookup' | 'store'): Promise<void> {
  await openOne(bench, SERVER, script(SERVER, [drawing(FIRST), drawing(SPOILT), drawing(LAST)]), undefined, IMAGE_HOST);
  await ask(bench, SERVER, FIRST, asking);
  await bench.gate({ gate, action: 'hold' });
  const held = bench.told(`something waits at the gate ${gate}`, isHeldAt(gate));
  const spoilt = await begin(bench, SERVER, SPOILT, asking);
  await held;
  await spoilt?.cancel();
  await bench.gate({ gate, action: 'release' });
  await settle(spoilt);
  // What the gate let go has had its time when this one is through.
  await ask(bench, SERVER, LAST, asking);
  await bench.close();
}

function judgeCancelled(history: History, gate: string): Judgement {
  const call = callFor(history, SPOILT);
  if (call === undefined) return uncalled(history, SERVER, SPOILT) ?? inconclusive('the call to cancel was not made');
  const doubt = hostTells(history);
  if (doubt !== undefined) return doubt;
  const [cancel] = call.cancels;
  const held = heldAtGate(history, gate).find((index) => index > call.call.index);
  if (held === undefined || cancel === undefined || cancel.index < held) return inconclusive(`the call was not cancelled while it waited at the gate ${gate}`);
  if (call.outcome !== undefined && call.outcome.index < cancel.index) return inconclusive('the call had ended before it was cancelled');
  const stored = storedSpoilt(history).filter((index) => index > cancel.index);
  if (stored.length > 0) return fail('an image was given to the store after its call was cancelled', [...placesOf(call), cancel.index, ...stored]);
  const reply = replyOf(call);
  if (reply === undefined) return fail('a cancelled call never settled', [...placesOf(call), cancel.index]);
  if (reply.outcome === 'ok') return fail('a call that was cancelled before its images were stored ended well', placesOf(call));
  return imagesSeen(reply.view).length > 0 ? fail('a cancelled call shows an image', placesOf(call)) : pass(`nothing is stored after an abort at the gate ${gate}`);
}

/** PROJECTION-029: given up while the route is looked up. */
export const abortAtLookup = scripted({
  id: 'PROJECTION-029/at-the-lookup',
  invariant: 'PROJECTION-029',
  exercise: (bench) => cancelAt(bench, 'route-lookup'),
  judge: (history) => judgeCancelled(history, 'route-lookup'),
});

/** PROJECTION-029: given up while the store is at work. */
export const abortAtStore = scripted({
  id: 'PROJECTION-029/at-the-store',
  invariant: 'PROJECTION-029',
  exercise: (bench) => cancelAt(bench, 'store'),
  judge: (history) => judgeCancelled(history, 'store'),
});
