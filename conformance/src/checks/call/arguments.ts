/**
 * What the server receives as arguments.
 */
import * as fc from 'fast-check';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { ownEventsFrom, paramsOf, received } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Judgement } from '../check.ts';
import { callFor, callsFor, jsonEqual, placesOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'taker';
const TAKE = 'take';
const openTaker = (bench: Bench): Promise<unknown> => openOne(bench, SERVER, script(SERVER, [tool(SERVER, TAKE), tool(SERVER, BARE)]));

/** Names that are data and nothing else (B15). */
const oddKey = fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', 'name', 'arguments', '_meta', 'a.b', 'é', '😀', 'id');
const key = fc.oneof(oddKey, fc.string({ unit: 'grapheme', maxLength: 6 }));
const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, '', '\u2028', '\0'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.integer(),
);
// `Object.fromEntries` defines members, so that `__proto__` becomes one.
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as unknown),
  ),
})).value;
const given = fc
  .array(fc.tuple(key, value), { minLength: 1, maxLength: 5 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

/** CALL-001: any JSON object arrives as it is. */
export const argumentsArrive = property<Record<string, unknown>>({
  id: 'CALL-001/any-json',
  invariant: 'CALL-001',
  arbitrary: given,
  runs: 60,
  labels: (input) => [
    ...(Object.keys(input).some((name) => ['__proto__', 'constructor', 'toString'].includes(name)) ? ['prototype key'] : []),
    ...(Object.values(input).some((one) => typeof one === 'object' && one !== null) ? ['nested'] : []),
    ...(/[^ -~]/.test(JSON.stringify(input)) ? ['non-ASCII'] : []),
  ],
  minimums: { 'prototype key': 5, nested: 5, 'non-ASCII': 5 },
  prepare: async (bench) => void (await openTaker(bench)),
  exercise: async (bench, input) => void (await ask(bench, SERVER, TAKE, { arguments: input })),
  judge: judgeArrived,
});

/** Judges the latest call of {@link TAKE}. */
function judgeArrived(history: History): Judgement {
  const call = callsFor(history, TAKE).findLast(({ call: { index } }) => index >= ownEventsFrom(history));
  if (call === undefined) return uncalled(history, SERVER, TAKE) ?? inconclusive('no call was made');
  const sent = call.call.event.request.arguments;
  const request = call.requests[0] ?? received(history, SERVER, 'tools/call').findLast(({ index }) => index > call.call.index);
  if (request === undefined) return inconclusive('the call did not reach the server');
  const got = paramsOf(request.event)['arguments'];
  return jsonEqual(got, sent)
    ? pass('the arguments arrived')
    : fail(`the caller gave ${few(sent)} and the server received ${few(got)}`, [...placesOf(call), request.index]);
}

/** Characters of arguments that a message repeats. */
const FEW_CHARS = 500;

function few(some: unknown): string {
  const text = some === undefined ? 'nothing' : JSON.stringify(some);
  return text.length <= FEW_CHARS ? text : `${text.slice(0, FEW_CHARS)}… (${text.length} characters)`;
}

/** A file to write, and a hundred small ones: 200 KB, more than a pipe takes at once. */
const LARGE = {
  text: 'one line of a file that a model writes\n'.repeat(4_000),
  files: Array.from({ length: 100 }, (_, at) => ({ name: `file-${at}`, lines: [`${at}`.repeat(200), { nested: [at] }] })),
};

/** CALL-001: large arguments arrive as small ones do. */
export const largeArguments = scripted({
  id: 'CALL-001/large',
  invariant: 'CALL-001',
  async exercise(bench) {
    await openTaker(bench);
    await ask(bench, SERVER, TAKE, { arguments: LARGE });
    await bench.close();
  },
  judge: judgeArrived,
});

const BARE = 'bare';

/** CALL-002: no arguments are `{}`. */
export const emptyArguments = scripted({
  id: 'CALL-002/none',
  invariant: 'CALL-002',
  async exercise(bench) {
    await openTaker(bench);
    await ask(bench, SERVER, BARE, { arguments: {}, probe: false });
    await bench.close();
  },
  judge(history): Judgement {
    const call = callFor(history, BARE);
    if (call === undefined) return uncalled(history, SERVER, BARE) ?? inconclusive('no call was made');
    const request = received(history, SERVER, 'tools/call').find(({ event }) => paramsOf(event)['name'] === BARE);
    if (request === undefined) return inconclusive('the call did not reach the server');
    const params = paramsOf(request.event);
    return jsonEqual(params['arguments'], {})
      ? pass('the server received {}')
      : fail(`a call without arguments was sent with params ${JSON.stringify(params)}`, [request.index]);
  },
});
