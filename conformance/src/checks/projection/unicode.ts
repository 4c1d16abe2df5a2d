/**
 * Text that no model may get as it is: broken characters, and far too much of it.
 */
import * as fc from 'fast-check';
import type { History } from '../../history/schema.ts';
import { frames, ownEventsFrom, programAt, textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Judgement } from '../check.ts';
import { callFor, callsFor, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne } from '../support/steps.ts';
import { textIn } from './blocks.ts';

const SERVER = 'broken';
const SAY = 'say';
const LONE = /\p{Surrogate}/u;

/** One hostile text and where a result says it. */
interface Hostile {
  readonly text: string;
  readonly place: 'text' | 'link' | 'type' | 'failure' | 'error';
}

const piece = fc.oneof(fc.constantFrom('\ud83d', '\ude00', '\ud800', '\udfff', '😀', 'a', '\ud83d\ud83d\ude00'), fc.string({ unit: 'binary', maxLength: 3 }));
const hostile = fc.record({
  text: fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
  place: fc.constantFrom<Hostile['place'][]>('text', 'link', 'type', 'failure', 'error'),
});

function answerOf({ text, place }: Hostile): object {
  if (place === 'error') return { error: { code: -32000, message: `broken: ${text}` } };
  const block = place === 'link' ? { type: 'resource_link', name: text, uri: `test://${text}` } : place === 'type' ? { type: `kind-${text}` } : { type: 'text', text };
  return { result: { content: [block, { type: 'text', text: 'after' }], ...(place === 'failure' ? { isError: true } : {}) } };
}

/** PROJECTION-008: no lone surrogate reaches the model. */
export const wellFormed = property<Hostile>({
  id: 'PROJECTION-008/surrogates',
  invariant: 'PROJECTION-008',
  arbitrary: hostile,
  runs: 50,
  labels: ({ text, place }) => [place, ...(LONE.test(text) ? ['lone surrogate'] : [])],
  minimums: { 'lone surrogate': 15, text: 1, link: 1, type: 1, failure: 1, error: 1 },
  async prepare(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SAY)]));
  },
  async exercise(bench, input) {
    await openedServer(bench).program(script(SERVER, [tool(SERVER, SAY, answerOf(input))]));
    await ask(bench, SERVER, SAY);
  },
  judge(history): Judgement {
    const call = callsFor(history, SAY).findLast(({ call: { index } }) => index >= ownEventsFrom(history));
    if (call === undefined) return uncalled(history, SERVER, SAY) ?? inconclusive('no call was made');
    if (call.answer === undefined) return inconclusive('the server did not answer');
    if (call.outcome === undefined) return fail('a call that its server answered never settled', placesOf(call));
    return LONE.test(readOf(replyOf(call))) ? fail('what is read holds half a character', placesOf(call)) : pass('what is read is well-formed');
  },
});

/** UTF-16 units of the long text: 3 MiB, more than any model reads in one result. */
const LONG_UNITS = 3 * 1024 * 1024;

/** The text that the script has the tool say: a trace keeps only the beginning of a message as long as this. */
function scriptedText(history: History): string | undefined {
  const say = programAt(history, SERVER)?.event.tools.find((one) => 'name' in one && one.name === SAY);
  const content = say !== undefined && 'result' in say ? say.result?.['content'] : undefined;
  return Array.isArray(content) ? textIn(content[0]) : undefined;
}

/** PROJECTION-009: cut, with a mark. */
export const cutVisibly = scripted({
  id: 'PROJECTION-009/three-megabytes',
  invariant: 'PROJECTION-009',
  async exercise(bench) {
    const text = `begins here ${'😀'.repeat(LONG_UNITS / 2)}`;
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SAY, { result: { content: [{ type: 'text', text }] } })]));
    await ask(bench, SERVER, SAY);
    await bench.close();
  },
  judge(history): Judgement {
    const call = callFor(history, SAY);
    if (call === undefined) return uncalled(history, SERVER, SAY) ?? inconclusive('no call was made');
    const text = scriptedText(history);
    const sent = frames(history, { server: SERVER, direction: 'server-to-client' }).find(({ event }) => event.bytes > (text?.length ?? Infinity));
    if (text === undefined || sent === undefined) return inconclusive('no long text was sent');
    const reply = replyOf(call);
    // A bound on messages is below that of a text for some (B01), and says so.
    if (reply?.outcome === 'failed' && readOf(reply).trim() !== '') return { verdict: 'not-applicable', message: 'the subject takes no message as large as this' };
    if (reply?.outcome !== 'ok') return fail(`a long text ended as ${reply?.outcome ?? 'nothing'}`, placesOf(call));
    const seen = textOf(reply.view);
    if (seen.length >= text.length) return fail(`all ${seen.length} characters reach the model`, placesOf(call));
    if (LONE.test(seen)) return fail('the cut goes through a character', placesOf(call));
    if (!seen.startsWith(text.slice(0, 12))) return fail('the text does not begin as the original does', placesOf(call));
    return text.includes(seen.trimEnd()) ? fail('nothing says that the text was cut', placesOf(call)) : pass(`${seen.length} of ${text.length} characters are shown, with a mark`);
  },
});
