/**
 * The canonical value, as programs get it.
 */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { isObject, ownEventsFrom } from '../../history/views.ts';
import { fail, inconclusive, pass, property, type Judgement } from '../check.ts';
import { answeredResult, callsFor, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne } from '../support/steps.ts';

const SERVER = 'valued';
const GIVE = 'give';
type Result = Readonly<Record<string, unknown>>;

const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'annotations', '_meta', 'type2', 'é'), fc.string({ unit: 'grapheme', maxLength: 5 }));
const entries = (value: fc.Arbitrary<unknown>, maxLength = 3): fc.Arbitrary<Record<string, unknown>> =>
  fc.array(fc.tuple(name, value), { maxLength }).map((pairs) => Object.fromEntries(pairs) as Record<string, unknown>);
const json = entries(fc.oneof(fc.constantFrom(null, true, 0, 1.25, -7, '', 'words'), fc.array(fc.integer(), { maxLength: 3 }), entries(fc.integer())));
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) }, { weight: 1, arbitrary: fc.constantFrom('half \ud83d', '\ude00 other half') }) }),
  fc.record({ type: fc.constant('image'), data: fc.constant('AAAA'), mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('audio'), data: fc.constant('AAAA'), mimeType: fc.constant('audio/wav') }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: fc.webUrl(), text: fc.string({ unit: 'grapheme' }) }) }),
  fc.record({ type: fc.constant('from-the-future'), payload: json }),
);
const extended = fc.tuple(block, json).map(([known, more]) => ({ ...more, ...known }));
const result = fc.record({
  content: fc.array(fc.oneof(block, extended), { maxLength: 4 }),
  structured: fc.option(json, { nil: undefined, freq: 2 }),
  more: fc.option(entries(fc.integer(), 2), { nil: undefined, freq: 2 }),
  flagged: fc.boolean(),
}).map(({ content, structured, more, flagged }): Result => {
  const { content: _content, structuredContent: _structured, isError: _isError, ...others } = more ?? {};
  return {
    ...others, content, ...(structured === undefined ? {} : { structuredContent: structured }), ...(flagged ? { isError: false } : {}),
  };
});

/** CALL-009: content and structuredContent as they came, and nothing beside them. */
export const canonicalValue = property<Result>({
  id: 'CALL-009/any-result',
  invariant: 'CALL-009',
  arbitrary: result,
  runs: 50,
  labels: (input) => [
    ...(input['structuredContent'] === undefined ? ['content only'] : ['structured']),
    ...(Object.keys(input).some((key) => !['content', 'structuredContent'].includes(key)) ? ['more members'] : []),
    ...(JSON.stringify(input).includes('from-the-future') ? ['unknown block'] : []),
  ],
  minimums: { 'content only': 5, structured: 5, 'more members': 5, 'unknown block': 2 },
  async prepare(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, GIVE)]));
  },
  async exercise(bench, input) {
    await openedServer(bench).program(script(SERVER, [tool(SERVER, GIVE, { result: input })]));
    await ask(bench, SERVER, GIVE, { extra: { via: 'program' } });
  },
  judge(history): Judgement {
    const call = callsFor(history, GIVE).findLast(({ call: { index } }) => index >= ownEventsFrom(history));
    if (call === undefined) return uncalled(history, SERVER, GIVE) ?? inconclusive('no call was made');
    const came = answeredResult(call);
    if (came === undefined) return inconclusive('the server did not answer with a result');
    const reply = replyOf(call);
    if (reply?.outcome !== 'ok') return fail(`a result that is no error ended as ${reply?.outcome ?? 'nothing'}: ${reply?.message ?? ''}`, placesOf(call));
    const due = { content: came['content'], ...('structuredContent' in came ? { structuredContent: came['structuredContent'] } : {}) };
    if (!isObject(reply.value)) return fail(`the canonical value is no object: ${JSON.stringify(reply.value)}`, placesOf(call));
    return isDeepStrictEqual(plain(reply.value), plain(due))
      ? pass('the canonical value is what came')
      : fail(`the server sent ${JSON.stringify(due)}, the canonical value is ${JSON.stringify(reply.value)}`, placesOf(call));
  },
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
