/**
 * Payloads of images, wherever a host handles them.
 */
import type { History } from '../../history/schema.ts';
import { fail, inconclusive, pass, scripted } from '../check.ts';
import { allReadable, callFor } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { IMAGE_HOST, READS, SEES, SERVER, witness } from './image-facts.ts';
import { imageBlock } from './sample-images.ts';

/** So many letters of a payload in some text are a leak, wherever it was cut. */
const LEAK_LETTERS = 64;

const shown = imageBlock('image/png', 'a picture to show');
const unread = imageBlock('image/png', 'a picture for a model that only reads');
const failing = imageBlock('image/gif', 'a picture of a failure');
const refused = imageBlock('image/jpeg', 'a picture that a store refuses');
const broken = { ...imageBlock('image/webp', 'a picture with a broken end'), data: `${imageBlock('image/webp', 'a picture with a broken end').data}!` };
const TOOLS: Readonly<Record<string, { readonly content: readonly object[]; readonly isError?: boolean }>> = {
  'draw-shown': { content: [shown] },
  'draw-unread': { content: [unread] },
  'draw-failing': { content: [failing], isError: true },
  'draw-broken': { content: [broken, imageBlock('image/png', 'a good one')] },
  'draw-refused': { content: [refused] },
};
/** What the server itself says in a text may be shown whole (PROJECTION-001); only who keeps to S46 hides a payload there as well. */
const SAID = { type: 'text', text: `the same as text: ${shown.data}` };
const SAYS = 'draw-shown';
const PAYLOADS = [shown, unread, failing, refused, broken].map(({ data }) => data);
const HEALTHY = 'draw-healthy';

/** Positions of texts in which so many letters of a payload stand, from wherever in it. */
function leaks(history: History): number[] {
  const windows = PAYLOADS.flatMap((data) => Array.from({ length: Math.floor(data.length / LEAK_LETTERS) }, (_, at) => data.slice(at * LEAK_LETTERS, (at + 1) * LEAK_LETTERS)));
  return allReadable(history).filter(({ text }) => windows.some((window) => text.includes(window))).map(({ index }) => index);
}

/** PROJECTION-033: not in texts, not in failures, not in logs. */
export const imagesUnread = scripted({
  id: 'PROJECTION-033/every-ending',
  invariant: 'PROJECTION-033',
  async exercise(bench) {
    const keepsS46 = bench.subject.levels.includes('seed');
    const tools = Object.entries(TOOLS).map(([name, result]) =>
      tool(SERVER, name, { result: { ...result, content: [...result.content, ...(keepsS46 && name === SAYS ? [SAID] : [])] } }));
    await openOne(bench, SERVER, script(SERVER, [...tools, tool(SERVER, HEALTHY, { result: { content: [imageBlock('image/gif', 'healthy')] } })]), undefined, IMAGE_HOST);
    await ask(bench, SERVER, HEALTHY, { extra: { agent: SEES } });
    await ask(bench, SERVER, 'draw-unread', { extra: { agent: READS } });
    for (const name of ['draw-shown', 'draw-failing', 'draw-broken']) await ask(bench, SERVER, name, { extra: { agent: SEES } });
    await bench.setHost({ attachmentStore: 'refusing' });
    await ask(bench, SERVER, 'draw-refused', { extra: { agent: SEES } });
    await bench.close();
  },
  judge(history) {
    const unasked = Object.keys(TOOLS).find((name) => callFor(history, name)?.answer === undefined || callFor(history, name)?.outcome === undefined);
    if (unasked !== undefined) return inconclusive(`"${unasked}" was not called, or not answered`);
    const leaked = leaks(history);
    if (leaked.length > 0) return fail('the payload of an image stands in text that a model or a person reads', leaked);
    return witness(history, HEALTHY) ?? pass('no payload of an image stands in text');
  },
});
