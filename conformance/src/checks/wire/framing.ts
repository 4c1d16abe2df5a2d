/**
 * The same messages, cut and ended in other ways.
 */
import * as fc from 'fast-check';
import type { FrameOptions, ScenarioInput } from 'mcp-fixture-server/scenario';
import { mark } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { answerTo, barrierOf, eventsOf, isObject, ownEventsFrom, received, textOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Judgement } from '../check.ts';
import { answeredResult, callFor, callsFor, doubt, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, onMethod, script, STEADY, textResult, tool } from '../support/scripts.ts';
import { ask, openedServer, openOne, shortConnect } from '../support/steps.ts';

const SERVER = 'chopped';

/** One way to put the list and the result on the wire, and the text of the result. */
export interface Framing {
  readonly text: string;
  readonly frame: FrameOptions;
}

/** Characters that tempt a reader to split: separators, ends of line, a byte order mark, two, three and four bytes. */
const tempting = fc.constantFrom('\u2028', '\u2029', '\u0085', '\r', '\n', '\r\n', '\ufeff', 'é', '中', '😀', '𝔘', '"', '\\', '{', '}');
// Half of all texts hold a separator, so that the label below is hit with any seed.
const opening = fc.oneof(fc.constantFrom('\u2028', '\u2029'), tempting);
/** Texts of results. */
export const text = fc
  .tuple(opening, fc.array(fc.oneof(tempting, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 12 }))
  .map(([start, pieces]) => `<${start}${pieces.join('')}>`);
const cuts = fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 24 }).map((offsets) => [...offsets].sort((a, b) => a - b));
/** Into which pieces a message goes. */
export const cut: fc.Arbitrary<Pick<FrameOptions, 'everyByte' | 'splitAt'>> = fc.oneof(fc.constant({}), fc.constant({ everyByte: true }), cuts.map((splitAt) => ({ splitAt })));
/** Whether separators go out as they are: mostly. */
export const rawSeparators = fc.constantFrom(true, true, true, false);
const frame: fc.Arbitrary<FrameOptions> = fc
  .record({
    cut,
    crlf: fc.boolean(),
    raw: rawSeparators,
  })
  .map(({ cut: pieces, crlf, raw }) => ({ ...pieces, ...(crlf ? { crlf } : {}), ...(raw ? { rawSeparators: raw } : {}) }));

/** Raw name of the tool of one text: another one for each input, so that a stale list shows. */
function nameOf(input: Framing): string {
  return `chopped_${Buffer.from(JSON.stringify(input)).toString('base64url').slice(0, 24)}_${JSON.stringify(input).length}`;
}

/** What a framing is an example of, on either carrier. */
export function labelsOf({ text: said, frame: how }: Framing): string[] {
  return [
    ...(how.everyByte === true ? ['every byte'] : []),
    ...(how.splitAt === undefined ? [] : ['cut']),
    ...(how.crlf === true ? ['crlf'] : []),
    ...(/[\u2028\u2029]/.test(said) && how.rawSeparators === true ? ['raw separator'] : []),
    ...(/[\u0080-\u{10ffff}]/u.test(said) ? ['multi-byte'] : []),
  ];
}

/** WIRE-003: lists and results, however they are framed. */
export const framings = property<Framing>({
  id: 'WIRE-003/framings',
  invariant: 'WIRE-003',
  arbitrary: fc.record({ text, frame }),
  runs: 25,
  labels: labelsOf,
  minimums: { 'every byte': 1, cut: 1, crlf: 3, 'raw separator': 1, 'multi-byte': 3 },
  async prepare(bench) {
    await openOne(bench, SERVER, script(SERVER, []));
    await ask(bench, SERVER, STEADY);
  },
  async exercise(bench, input) {
    const name = nameOf(input);
    const next = script(SERVER, [tool(SERVER, name)], [
      onMethod('tools/list', [{ default: { frame: input.frame } }]),
      onCall(name, [{ reply: { result: textResult(input.text), frame: input.frame } }]),
    ]);
    const shown = await bench.change(openedServer(bench), next, 'framed list', (tools) => tools.some((one) => one.description.includes(mark(SERVER, name))));
    if (shown) await ask(bench, SERVER, name, { boundMs: 2_000 });
  },
  judge: judgeFraming,
});

/** The input of the latest run; a saved history holds whatever was given. */
export function lastInput(history: History): Framing | undefined {
  const input = eventsOf(history, 'run').at(-1)?.event.input;
  if (!isObject(input) || typeof input['text'] !== 'string' || !isObject(input['frame'])) return undefined;
  return { text: input['text'], frame: input['frame'] };
}

function judgeFraming(history: History): Judgement {
  const run = lastInput(history);
  if (run === undefined) return inconclusive('no input was run');
  const doubted = unhealthy(history);
  if (doubted !== undefined) return doubted;
  const shown = barrierOf(history, 'framed list');
  if (shown === undefined || shown.index < ownEventsFrom(history)) return inconclusive('the framed list was not waited for');
  if (!shown.event.reached) return fail(`a list framed as ${JSON.stringify(run.frame)} was never offered`, [shown.index]);
  return judgeFramed(run, callFor(history, nameOf(run)));
}

/** A doubt, unless a call went through before anything was framed. */
export function unhealthy(history: History): Judgement | undefined {
  const steady = callsFor(history, STEADY)[0];
  return doubt([steady !== undefined && echoed(steady), 'a healthy call before']);
}

/** Reads the call whose result went out in this framing. */
export function judgeFramed(run: Framing, call: PairedCall | undefined): Judgement {
  if (call === undefined || call.requests.length === 0) return inconclusive('the framed call did not reach the server');
  if (call.answer === undefined) return inconclusive('the server did not answer');
  const reply = replyOf(call);
  const how = JSON.stringify(run.frame);
  if (reply?.outcome !== 'ok') return fail(`a result framed as ${how} did not arrive: ${reply?.outcome ?? 'the call never settled'}`, placesOf(call));
  return textOf(reply.view).includes(run.text)
    ? pass('everything arrived as it was sent')
    : fail(`a result framed as ${how} arrived with another text: ${JSON.stringify(textOf(reply.view))} for ${JSON.stringify(run.text)}`, placesOf(call));
}

const GREETING = 'greeted with a mark';

/** WIRE-003: the very first bytes of a connection. */
export const handshakeFraming = scripted({
  id: 'WIRE-003/handshake',
  invariant: 'WIRE-003',
  async exercise(bench) {
    await openOne(bench, SERVER, greeter(SERVER, { crlf: true, everyByte: true, bom: true }), shortConnect(bench));
    await ask(bench, SERVER, GREET);
    await bench.close();
  },
  judge: (history) => judgeGreeting(history, SERVER),
});

/** The tool of {@link greeter}. */
export const GREET = 'greet';

/** A server whose handshake and list go out in this way; a byte order mark may stand before the handshake alone, as the first of all messages. */
export function greeter(server: string, how: FrameOptions): ScenarioInput {
  const { bom: _mark, ...later } = how;
  return script(server, [tool(server, GREET, { result: textResult(GREETING) })], [
    onMethod('initialize', [{ default: { frame: how } }]), onMethod('tools/list', [{ default: { frame: later } }]),
  ]);
}

/** Reads how a {@link greeter} was opened and called. */
export function judgeGreeting(history: History, server: string): Judgement {
  const call = callFor(history, GREET);
  const greeting = received(history, server, 'initialize')[0];
  const greeted = greeting === undefined ? undefined : answerTo(history, greeting);
  if (greeted !== undefined && received(history, server, 'tools/list').length === 0) {
    return fail('after a handshake that was framed otherwise the list was never asked for', [greeted.index]);
  }
  if (call === undefined) return uncalled(history, server, GREET) ?? inconclusive('no call was made');
  if (answeredResult(call) === undefined) return inconclusive('the server did not answer');
  return first(
    replyOf(call)?.outcome === 'ok' ? undefined : fail('a call after a handshake and a list that were framed otherwise failed', placesOf(call)),
  ) ?? pass('handshake, list and call went through');
}
