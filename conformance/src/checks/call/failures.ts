/**
 * Calls that the tool or the server fails.
 */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { messageOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { answeredResult, callFor, first, isReadable, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'failing';
const text = (words: string): object => ({ type: 'text', text: words });

/** Texts of every result of this file; all must be readable. */
const WORDS = ['the first words of the report', 'the next words of the report', 'the last words of the report'] as const;
/** The blocks between them, each of which leaves something to see; how it is told is the bridge's own affair, as in a success (PROJECTION-004). */
const OTHERS = [{ type: 'resource_link', uri: 'file:///report.txt', name: 'report' }, { type: 'from-the-future', note: 1 }] as const;
const content = [text(WORDS[0]), OTHERS[0], text(WORDS[1]), OTHERS[1], text(WORDS[2])];

/** Of the blocks between the texts the first that left nothing in its place. */
function lostBetween(seen: string): (typeof OTHERS)[number] | undefined {
  return OTHERS.find((_block, at) => {
    const [before, after] = [WORDS[at] ?? '', WORDS[at + 1] ?? ''];
    const start = seen.indexOf(before) + before.length;
    return !/[\p{L}\p{N}]/u.test(seen.slice(start, seen.indexOf(after, start)));
  });
}

async function callAll(bench: Bench, results: Readonly<Record<string, object>>): Promise<void> {
  await openOne(bench, SERVER, script(SERVER, Object.entries(results).map(([name, rest]) => tool(SERVER, name, rest))));
  for (const name of Object.keys(results)) await ask(bench, SERVER, name);
  await bench.close();
}

/** Judges each call of a result; the first complaint wins. */
function judgeAll(history: History, names: readonly string[], judgeOne: (name: string) => Judgement | undefined): Judgement | undefined {
  return first(...names.map((name) => {
    const call = callFor(history, name);
    if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
    if (call.answer === undefined) return inconclusive(`the server did not answer "${name}"`);
    if (call.outcome === undefined) return fail(`a call that its server answered never settled`, placesOf(call));
    return judgeOne(name);
  }));
}

const FLAGGED = {
  flagged: { result: { content, isError: true } },
  'flagged-with-structure': { result: { content, structuredContent: { code: 7 }, isError: true } },
  unflagged: { result: { content, isError: false } },
  plain: { result: { content } },
};

/** CALL-006: true fails with the text of all its blocks, false and absent succeed. */
export const isErrorFails = scripted({
  id: 'CALL-006/flags',
  invariant: 'CALL-006',
  exercise: (bench) => callAll(bench, FLAGGED),
  judge: (history) => judgeAll(history, Object.keys(FLAGGED), (name) => {
    const call = callFor(history, name);
    const reply = replyOf(call);
    const flagged = answeredResult(call)?.['isError'] === true;
    const places = call === undefined ? [] : placesOf(call);
    if (flagged === (reply?.outcome === 'ok')) return fail(`a result with isError ${flagged ? 'true' : 'false or absent'} ended as ${reply?.outcome ?? 'nothing'}`, places);
    const missing = WORDS.find((words) => !readOf(reply).includes(words));
    if (missing !== undefined) return fail(`"${missing}" cannot be read in the outcome of "${name}"`, places);
    const lost = flagged ? lostBetween(readOf(reply)) : undefined;
    return lost === undefined ? undefined : fail(`a block of the type "${lost.type}" disappeared from the outcome of "${name}"`, places);
  }) ?? pass('only isError true failed the call, and every block can be read'),
});

const ODD_FLAGS = {
  'flag-text-true': { result: { content, isError: 'true' } },
  'flag-text-false': { result: { content, isError: 'false' } },
  'flag-one': { result: { content, isError: 1 } },
  'flag-null': { result: { content, isError: null } },
};

/** CALL-007: what is not the boolean true fails nothing. */
export const isErrorBoolean = scripted({
  id: 'CALL-007/odd-flags',
  invariant: 'CALL-007',
  exercise: (bench) => callAll(bench, ODD_FLAGS),
  judge: (history) => judgeAll(history, Object.keys(ODD_FLAGS), (name) => {
    const call = callFor(history, name);
    return replyOf(call)?.outcome === 'ok' || call === undefined
      ? undefined
      : fail(`a result with isError ${JSON.stringify(answeredResult(call)?.['isError'])} failed the call`, placesOf(call));
  }) ?? pass('no flag but the boolean true failed a call'),
});

const RPC = {
  'rpc-internal': { error: { code: -32603, message: 'the disk of the server is full of bees' } },
  'rpc-params': { error: { code: -32602, message: 'the colour must be a bird' } },
  'rpc-own-code': { error: { code: 4711, message: 'the moon is not available' } },
};

/** CALL-008: the server's own words are kept. */
export const rpcErrors = scripted({
  id: 'CALL-008/codes',
  invariant: 'CALL-008',
  exercise: (bench) => callAll(bench, RPC),
  judge: (history) => judgeAll(history, Object.keys(RPC), (name) => {
    const call = callFor(history, name);
    if (call?.answer === undefined) return undefined;
    const error = messageOf(call.answer.event)['error'];
    const words = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined;
    if (words === undefined) return inconclusive(`the server did not answer "${name}" with an error`);
    if (replyOf(call)?.outcome === 'ok') return fail('a JSON-RPC error ended as a success', placesOf(call));
    return isReadable(history, call, words) ? undefined : fail(`the server said "${words}", and nobody can read it`, placesOf(call));
  }) ?? pass('every JSON-RPC error failed its call with its own words'),
});
