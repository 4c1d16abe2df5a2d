/**
 * Images beside whoever else has a say in a result: policies, programs, the next generation.
 */
import { mark } from '../../bench/bench.ts';
import { textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callsFor, first, jsonEqual, placesOf, replyOf, answeredResult, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, begin, openOne, settle } from '../support/steps.ts';
import { answered, imagesSeen, imagesSent, IMAGE_HOST, isHeldAt, heldAtGate, judgeCall, sameImages, SEES, SERVER, witness } from './image-facts.ts';
import { imageBlock } from './sample-images.ts';

const DRAW = 'draw';
const HEALTHY = 'draw-healthy';
const drawing = (name: string) => tool(SERVER, name, { result: { content: [{ type: 'text', text: 'seen' }, imageBlock('image/webp', `drawn by ${name}`)] } });

/** What the policy says of each call; the words are its own. */
const POLICIES = {
  'draw-replaced': { replaceContent: 'words of the policy, one' },
  'draw-blocked': { block: 'words of the policy, two' },
  'draw-revalued': { replaceValue: { content: [{ type: 'text', text: 'words of the policy, three' }] } },
} as const;
const WORDS: Readonly<Record<keyof typeof POLICIES, string>> = {
  'draw-replaced': 'words of the policy, one', 'draw-blocked': 'words of the policy, two', 'draw-revalued': 'words of the policy, three',
};
const POLICED = ['draw-replaced', 'draw-blocked', 'draw-revalued'] as const;

/** PROJECTION-030: a policy has the last word. */
export const policyWins = scripted({
  id: 'PROJECTION-030/each-decision',
  invariant: 'PROJECTION-030',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [...POLICED, HEALTHY].map(drawing)), undefined, IMAGE_HOST);
    for (const name of POLICED) await ask(bench, SERVER, name, { extra: { agent: SEES, policy: POLICIES[name] } });
    await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
    await bench.close();
  },
  judge(history) {
    return first(witness(history, HEALTHY), ...POLICED.map((name): Judgement | undefined => {
      const call = callsFor(history, name).at(-1);
      if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
      const reply = replyOf(call);
      if (call.answer === undefined || reply === undefined) return inconclusive(`"${name}" was not answered`);
      if (imagesSeen(reply.view).length > 0) return fail(`an image is shown although a policy decided otherwise (${name})`, placesOf(call));
      return textOf(reply.view).includes(WORDS[name]) ? undefined : fail(`what the policy said is not shown (${name}): ${textOf(reply.view)}`, placesOf(call));
    })) ?? pass('a policy that replaces or blocks a result has the last word');
  },
});

async function callProgram(bench: Parameters<typeof ask>[0]): Promise<void> {
  await openOne(bench, SERVER, script(SERVER, [DRAW, HEALTHY].map(drawing)), undefined, IMAGE_HOST);
  await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
  await ask(bench, SERVER, DRAW, { extra: { agent: SEES, via: 'program' } });
  await bench.close();
}

/** PROJECTION-031: a program's value. */
export const programValue = scripted({
  id: 'PROJECTION-031/with-a-store',
  invariant: 'PROJECTION-031',
  exercise: callProgram,
  judge(history) {
    return first(witness(history, HEALTHY), judgeCall(history, DRAW, ({ call }) => {
      const [value, result] = [replyOf(call)?.value, answeredResult(call)];
      const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
      return jsonEqual(content, result?.['content']) ? undefined : fail('a program does not get the content as the server sent it', placesOf(call));
    })) ?? pass('a program gets the images as the server sent them');
  },
});

/** PROJECTION-032: what the model is shown of a program's call. */
export const programShown = scripted({
  id: 'PROJECTION-032/with-a-store',
  invariant: 'PROJECTION-032',
  exercise: callProgram,
  judge(history) {
    return first(witness(history, HEALTHY), judgeCall(history, DRAW, ({ call, view, blocks }) =>
      sameImages(imagesSeen(view), imagesSent(blocks)) ? undefined : fail('the content of a program\'s call has lost its images', placesOf(call)),
    )) ?? pass('the content of a program\'s call has its images');
  },
});

const VERSION = 'the second one';

/** PROJECTION-034: a call that a policy holds while the list changes. */
export const ownGeneration = scripted({
  id: 'PROJECTION-034/held-across-a-change',
  invariant: 'PROJECTION-034',
  async exercise(bench) {
    const version = (words: string) => ({ ...drawing(words), name: DRAW, description: `${mark(SERVER, DRAW)} ${words}` });
    const server = await openOne(bench, SERVER, script(SERVER, [version('the first one')]), undefined, IMAGE_HOST);
    await bench.gate({ gate: 'finalize', action: 'hold' });
    const firstHeld = bench.told('the first call is held', isHeldAt('finalize'));
    const old = await begin(bench, SERVER, DRAW, { extra: { agent: SEES } });
    await firstHeld;
    await bench.change(server, script(SERVER, [version(VERSION)]), 'the list changed', (tools) => tools.some(({ description }) => description.includes(VERSION)));
    const secondHeld = bench.told('the second call is held', isHeldAt('finalize'));
    const young = await begin(bench, SERVER, DRAW, { extra: { agent: SEES } });
    await secondHeld;
    await bench.gate({ gate: 'finalize', action: 'release' });
    await settle(old);
    await settle(young);
    await bench.close();
  },
  judge(history) {
    const [old, young] = callsFor(history, DRAW);
    if (old === undefined || young === undefined) return uncalled(history, SERVER, DRAW) ?? inconclusive('the tool was not called twice');
    if (heldAtGate(history, 'finalize').length < 2) return inconclusive('no two calls were held');
    const [before, after] = [answeredResult(old)?.['content'], answeredResult(young)?.['content']];
    if (!Array.isArray(before) || !Array.isArray(after)) return inconclusive('the server did not answer both calls');
    const foreign = (call: typeof old, own: readonly unknown[]): boolean =>
      imagesSeen(replyOf(call)?.view ?? []).some(({ sha256 }) => !imagesSent(own).some((image) => image.sha256 === sha256));
    if (foreign(old, before)) return fail('a call that was held across a list change shows an image that is not its own', placesOf(old));
    if (foreign(young, after)) return fail('a call after a list change shows an image of a call before it', placesOf(young));
    const found = answered(history, young, DRAW);
    const isShown = !('verdict' in found) && sameImages(imagesSeen(found.view), imagesSent(found.blocks));
    return isShown ? pass('each call shows its own images or none') : inconclusive('the call after the change does not show its image');
  },
});
