/**
 * Payloads: they belong to programs and to an attachment store, never to text.
 */
import type { History } from '../../history/schema.ts';
import { frames, messageOf, ownEventsFrom } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Judgement } from '../check.ts';
import { allReadable, answeredResult, callFor, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { blockAt, payloadAt, SERVER, SHOW, show, shown, showing, type Sketches } from './blocks.ts';

/** So many letters of a payload in some text are a leak, wherever it was cut. */
const LEAK_LETTERS = 64;

/** The payloads that a server sent, by where they stand. */
function payloadsSent(history: History): string[] {
  const sent = frames(history, { direction: 'server-to-client' }).map(({ event }) => JSON.stringify(messageOf(event)['result'] ?? null)).join('\n');
  return Array.from({ length: 26 }, (_, place) => payloadAt(place)).filter((payload) => sent.includes(payload));
}

function leakIn(history: History): Judgement | undefined {
  const payloads = payloadsSent(history);
  const readable = allReadable(history);
  for (const payload of payloads) {
    const leak = readable.find(({ text }) => text.includes(payload.slice(0, LEAK_LETTERS)) || text.includes(payload.slice(-LEAK_LETTERS)));
    if (leak !== undefined) return fail('a payload of a block stands in text that a model or a person reads', [leak.index]);
  }
  return payloads.length === 0 ? inconclusive('no payload was sent') : undefined;
}

/** PROJECTION-006: in successes, also when the payload stands in structuredContent or in the text of a resource's URI once more. */
export const payloadsHidden = property<Sketches>({
  id: 'PROJECTION-006/any-blocks',
  invariant: 'PROJECTION-006',
  ...showing,
  // Every list gets a payload, so that there is always something to leak.
  arbitrary: showing.arbitrary.map((list): Sketches => [...list, { kind: 'audio', variant: 0 }]),
  minimums: { audio: 40, 'resource-blob': 2, 'bad-image': 2, unknown: 2 },
  exercise: (bench, list) => show(bench, list.map(blockAt), { structuredContent: { copy: payloadAt(list.length - 1) } }),
  judge(history): Judgement {
    const own = history.slice(ownEventsFrom(history));
    const found = shown(history);
    if ('verdict' in found) return found;
    return leakIn(own) ?? pass('no payload stands in text');
  },
});

/** PROJECTION-006: in failures. */
export const payloadsHiddenInFailures = scripted({
  id: 'PROJECTION-006/failures',
  invariant: 'PROJECTION-006',
  async exercise(bench) {
    const kinds = ['text', 'audio', 'resource-blob', 'bad-image', 'unknown', 'text'] as const;
    const content = kinds.map((kind, place) => blockAt({ kind, variant: 0 }, place));
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SHOW, { result: { content, isError: true } })]));
    await ask(bench, SERVER, SHOW);
    await bench.close();
  },
  judge(history): Judgement {
    const call = callFor(history, SHOW);
    if (call === undefined) return uncalled(history, SERVER, SHOW) ?? inconclusive('no call was made');
    if (call.answer === undefined || call.outcome === undefined) return inconclusive('the failing call was not answered');
    return leakIn(history) ?? pass('no payload stands in the failure');
  },
});

/** A schema that a payload contradicts in each of its members: by its type, by its length, and by what it is. */
const outputSchema = { type: 'object', properties: { copy: { type: 'integer' }, short: { type: 'string', maxLength: 3 }, chosen: { enum: ['left', 'right'] } } };

/** PROJECTION-006: where the words about a contradiction could quote what contradicts. */
export const payloadsHiddenInContradictions = scripted({
  id: 'PROJECTION-006/contradiction',
  invariant: 'PROJECTION-006',
  async exercise(bench) {
    const [copy, short, chosen] = [payloadAt(0), payloadAt(1), payloadAt(2)];
    const content = [0, 1, 2].map((place) => blockAt({ kind: 'audio', variant: 0 }, place));
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SHOW, { outputSchema, result: { content, structuredContent: { copy, short, chosen } } })]));
    await ask(bench, SERVER, SHOW);
    await bench.close();
  },
  judge(history): Judgement {
    const call = callFor(history, SHOW);
    if (call === undefined) return uncalled(history, SERVER, SHOW) ?? inconclusive('no call was made');
    const result = answeredResult(call);
    if (result?.['structuredContent'] === undefined || call.outcome === undefined) return inconclusive('no structured content was sent');
    return leakIn(history) ?? pass('no payload that contradicts its schema stands in text');
  },
});
