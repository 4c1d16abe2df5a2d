/**
 * What is far too much, or broken, for a model: in failures it is cut as in successes, and in the canonical value it is whole.
 */
import type { History } from '../../history/schema.ts';
import { frames, isObject, programAt, textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, first, jsonEqual, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, textResult, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { textIn } from './blocks.ts';

const SERVER = 'brimming';
/** Characters of a long text: 3 MB of UTF-8, more than any model reads in one result. */
const LONG_CHARS = 750_000;
const BEGINS = 'begins here';
const FILLING = '😀';
const LONE = /\p{Surrogate}/u;

/** What a scripted tool says, long or short: a trace keeps only the beginning of a long message. */
function scriptedText(history: History, name: string): string | undefined {
  const found = programAt(history, SERVER)?.event.tools.find((one) => 'name' in one && one.name === name);
  if (found === undefined || !('name' in found)) return undefined;
  const content = found.result?.['content'];
  return Array.isArray(content) ? textIn(content[0]) : found.error?.message;
}

/** Whether the server sent a message as long as that. */
function wasSent(history: History, bytes: number): boolean {
  return frames(history, { server: SERVER, direction: 'server-to-client' }).some(({ event }) => event.bytes > bytes);
}

const saying = (filling: number): string => `${BEGINS} ${FILLING.repeat(filling)}`;

/** Each way to fail, with a short text and with a long one: what is said around a short text is no mark. */
const FAILURES = {
  flagged: (text: string) => ({ result: { ...textResult(text), isError: true } }),
  refused: (text: string) => ({ error: { code: -32_000, message: text } }),
} as const;
type Failure = keyof typeof FAILURES;
const KINDS: readonly Failure[] = ['flagged', 'refused'];

/** What the model is shown of a failure; a subject that shows it nothing else shows it the message. */
function seenOf(history: History, name: string): string {
  const reply = replyOf(callFor(history, name));
  const seen = textOf(reply?.view ?? []);
  return seen.trim() === '' ? (reply?.message ?? '') : seen;
}

const around = (seen: string): string => seen.replaceAll(FILLING, '').replace(BEGINS, '').trim();

function judgeFailure(history: History, kind: Failure): Judgement | undefined {
  const [long, short] = [callFor(history, `${kind}_long`), callFor(history, `${kind}_short`)];
  if (long === undefined || short === undefined) return uncalled(history, SERVER, `${kind}_long`) ?? inconclusive('a call was not made');
  const text = scriptedText(history, `${kind}_long`);
  if (text === undefined || long.requests.length === 0 || !wasSent(history, text.length)) return inconclusive('no long failure was sent');
  if (long.outcome === undefined) return fail('a call that failed with a long text never settled', placesOf(long));
  if (short.outcome === undefined || replyOf(long)?.outcome === 'ok') return inconclusive('what failed was not taken for a failure');
  const seen = seenOf(history, `${kind}_long`);
  if (seen.length >= text.length) return fail(`all ${seen.length} characters of a failure reach the model`, placesOf(long));
  if (LONE.test(seen)) return fail('the cut of a failure goes through a character', placesOf(long));
  if (!seen.includes(BEGINS)) return fail('a long failure does not begin as the original does', placesOf(long));
  return around(seen) === around(seenOf(history, `${kind}_short`)) ? fail('nothing says that the text of a failure was cut', placesOf(long)) : undefined;
}

/** PROJECTION-009: what an error says is cut too, whichever way it came. */
export const failuresCut = scripted({
  id: 'PROJECTION-009/failures',
  invariant: 'PROJECTION-009',
  async exercise(bench) {
    const tools = KINDS.flatMap((kind) => [tool(SERVER, `${kind}_short`, FAILURES[kind](saying(3))), tool(SERVER, `${kind}_long`, FAILURES[kind](saying(LONG_CHARS)))]);
    await openOne(bench, SERVER, script(SERVER, tools));
    for (const kind of KINDS) {
      await ask(bench, SERVER, `${kind}_short`);
      await ask(bench, SERVER, `${kind}_long`);
    }
    await bench.close();
  },
  judge: (history) => first(...KINDS.map((kind) => judgeFailure(history, kind))) ?? pass('long failures are cut, with a mark'),
});

const LONG = 'long';
const BROKEN = 'broken';
/** Halves of characters; a reader of JSON that knows none may have put U+FFFD in their place. */
const HALVES = 'one \ud83d half, \ude00 another, and 😀 whole';

/** A text twice. */
const giving = (text: string): Readonly<Record<string, unknown>> => ({ ...textResult(text), structuredContent: { said: text } });

const mended = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null).replaceAll(/\\ud[89a-f][\da-f]{2}/gi, '\ufffd'));

function judgeValue(history: History, name: string): Judgement | undefined {
  const call = callFor(history, name);
  if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive('no call was made');
  const text = scriptedText(history, name);
  if (text === undefined || call.requests.length === 0 || !wasSent(history, text.length)) return inconclusive('the result was not sent');
  const reply = replyOf(call);
  if (reply?.outcome !== 'ok') return fail(`a result that is no error ended as ${reply?.outcome ?? 'nothing'}`, placesOf(call));
  const got = isObject(reply.value) ? reply.value : {};
  const due = giving(text);
  const same = (['content', 'structuredContent'] as const).every((part) => jsonEqual(mended(got[part]), mended(due[part])));
  return same ? undefined : fail(`a program does not get the ${text.length} characters that the server sent`, placesOf(call));
}

/** PROJECTION-010: the canonical value of what is cut or mended for the model. */
export const valueWhole = scripted({
  id: 'PROJECTION-010/long-and-broken',
  invariant: 'PROJECTION-010',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, LONG, { result: giving(saying(LONG_CHARS)) }), tool(SERVER, BROKEN, { result: giving(HALVES) })]));
    for (const name of [LONG, BROKEN]) await ask(bench, SERVER, name, { extra: { via: 'program' } });
    await bench.close();
  },
  judge: (history) => first(judgeValue(history, LONG), judgeValue(history, BROKEN)) ?? pass('programs get what is cut or mended for the model as it came'),
});
