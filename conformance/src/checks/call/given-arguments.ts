/** Arguments that schemas and bytes tempt a bridge to change (CALL-001): several calls, each with what its caller gave. */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { paramsOf, received } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { openWeb } from '../http/steps.ts';
import { callsFor, jsonEqual, placesOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'given';
const SEARCH = 'search';
const WRITE = 'write';
const CALLS = [SEARCH, WRITE] as const;

/** A schema that says much: defaults, what may be left out, alternatives. It forbids nothing that it does not name. */
const inputSchema = {
  type: 'object',
  properties: {
    probe: { type: 'string' },
    query: { type: 'string' },
    limit: { type: 'integer', default: 10 },
    deep: { type: 'boolean', default: false },
    note: { type: 'string' },
    since: { type: ['string', 'null'], default: null },
    value: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    parts: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object', properties: { kind: { type: 'string', default: 'all' } } },
  },
  required: ['query'],
};

/** Arguments that this schema allows, each as it stands. */
const ALLOWED: readonly Readonly<Record<string, unknown>>[] = [
  { query: 'herons' },
  { query: 'herons', limit: 3, deep: true, note: 'all of them', since: '2026-01-01', value: 1.5, parts: ['a', 'b'], filter: { kind: 'grey' } },
  { query: '5', value: '7', note: '', parts: ['1', '2'] },
  { query: 'true', value: 7, limit: 0, deep: false, since: null, parts: [] },
  { query: 'null', unnamed: { nested: [1, '1', null] }, another: false },
  { query: ' herons\n', filter: {}, parts: [''] },
  { query: '{"a":1}', filter: { unnamed: 5, more: { kind: 'grey' } } },
];

/** One call with letters alone, and others with letters of several bytes, few and many. */
const WORDS: readonly Readonly<Record<string, unknown>>[] = [
  { text: 'herons' },
  { text: 'Reiher über dem See — 鷺 цапля 🪶', 'ключ': ['é', 'e\u0301', '\u2028', '\u00a0'] },
  { text: 'цапля '.repeat(4_000), tail: '🪶' },
];

async function callAll(bench: Bench, name: string, all: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const given of all) await ask(bench, SERVER, name, { arguments: given });
  await bench.flush();
}

/** Judges each call; they come one after the other, so that what arrives between two belongs to the first. */
export function judgeGiven(history: History): Judgement {
  const calls = CALLS.flatMap((name) => callsFor(history, name, SERVER));
  if (calls.length === 0) return CALLS.map((name) => uncalled(history, SERVER, name)).find((one) => one?.verdict === 'fail') ?? inconclusive('no call was made');
  let lost: Judgement | undefined;
  let arrived = 0;
  for (const [at, call] of calls.entries()) {
    const until = calls[at + 1]?.call.index ?? history.length;
    const request = call.requests[0] ?? received(history, SERVER, 'tools/call').find(({ index }) => index > call.call.index && index < until);
    const given = call.call.event.request.arguments;
    if (request === undefined) {
      lost ??= call.outcome === undefined ? inconclusive('a call did not reach the server') : fail(`a call with ${few(given)} never reached the server`, placesOf(call));
      continue;
    }
    arrived += 1;
    const got = paramsOf(request.event)['arguments'];
    if (!jsonEqual(got, given)) return fail(`the caller gave ${few(given)} and the server received ${few(got)}`, [...placesOf(call), request.index]);
  }
  if (arrived === 0) return inconclusive('no call reached the server');
  return lost ?? (arrived > 1 ? pass(`the arguments of ${arrived} calls arrived as they were given`) : inconclusive('not in the history: more than one call'));
}

/** Characters of arguments that a message repeats. */
const FEW_CHARS = 300;

function few(some: unknown): string {
  const text = some === undefined ? 'nothing' : JSON.stringify(some);
  return text.length <= FEW_CHARS ? text : `${text.slice(0, FEW_CHARS)}… (${text.length} characters)`;
}

/** CALL-001: a schema describes what may be given, and changes nothing of it. */
export const typedArguments = scripted({
  id: 'CALL-001/typed',
  invariant: 'CALL-001',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SEARCH, { inputSchema })]));
    await callAll(bench, SEARCH, ALLOWED);
  },
  judge: judgeGiven,
});

/** CALL-001: over HTTP as over pipes, whatever the letters weigh. */
export const postedArguments = scripted({
  id: 'CALL-001/over-http',
  invariant: 'CALL-001',
  transports: ['streamable-http'],
  async exercise(bench) {
    await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, WRITE)]));
    await callAll(bench, WRITE, WORDS);
  },
  judge: judgeGiven,
});
