/** Calls, on any case: with what the server received and answered. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { caught } from '../../checks/call/endings.ts';
import { answeredResult, before, idOf, isReadable, jsonEqual, placesOf, readOf, replyOf } from '../../checks/support/facts.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { answerTo, frames, isObject, messageOf, paramsOf, received, type At, type PairedCall } from '../../history/views.ts';
import { casePairs } from './facts.ts';
import type { CaseJudge } from './case-judge.ts';

/** Texts of a result that are short enough to be shown whole by any bridge. */
const MAX_TEXT = 4_000;

/** Judges each call of a kind; none of that kind is a doubt. */
function each(what: string, chosen: (call: PairedCall, history: History) => boolean, judge: (call: PairedCall, history: History) => string | undefined): CaseJudge {
  return (history) => {
    const calls = casePairs(history).filter((call) => chosen(call, history));
    for (const call of calls) {
      const problem = judge(call, history);
      if (problem !== undefined) return fail(`${call.callId} of ${JSON.stringify(call.call.event.rawName ?? call.call.event.request.name)}: ${problem}`, placesOf(call));
    }
    return calls.length === 0 ? inconclusive(`no ${what} is in the history`) : pass(`${calls.length} calls: ${what}`);
  };
}

const onWire = (call: PairedCall): boolean => call.requests.length > 0;
/** Given up while it was in flight: what had ended, or was answered, cannot be cancelled any more. */
const cancelled = (call: PairedCall): boolean => onWire(call) && call.cancels.some((cancel) => !before(call.outcome, cancel) && !before(call.answer, cancel));
/** An answer may come after the call's own bound (S05, B12); only a success cannot have come before it. */
const isLate = (call: PairedCall): boolean => replyOf(call)?.outcome !== 'ok' && before(call.outcome, call.answer);
/** Whether its answer is what the call has to end with: nobody gave it up before. */
const owed = (call: PairedCall): boolean => call.answer !== undefined && !isLate(call) && call.cancels.every((cancel) => before(call.outcome, cancel));
const answered = (call: PairedCall): boolean => answeredResult(call) !== undefined && owed(call);

/** Texts of the content of a call's answer. */
function textsOf(call: PairedCall): string[] {
  const { content } = (answeredResult(call) ?? {}) as { content?: unknown };
  return (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' && block['text'].length <= MAX_TEXT && isWellFormed(block['text']) ? [block['text']] : []);
}

function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** A call that was answered ends with that answer. */
const ownAnswer = each('call that its server answered', answered, (call) => {
  const reply = replyOf(call);
  if (reply === undefined) return 'its server answered and it never settled';
  const missing = textsOf(call).find((text) => !readOf(reply).includes(text.trim()));
  return missing === undefined ? undefined : `it ended as ${reply.outcome} without the answer of its server: ${JSON.stringify(missing.slice(0, 80))} is not shown`;
});

/** The one judge that is about the absence of arguments, so nothing may be added to them. */
const withArguments = each('call without arguments that reached its server',
  (call) => onWire(call) && isObject(call.call.event.request.arguments) && Object.keys(call.call.event.request.arguments).length === 0,
  (call) => {
    const request = call.requests[0];
    return request !== undefined && isObject(paramsOf(request.event)['arguments']) ? undefined : 'it was sent without `arguments`';
  });

const settledAlone = (call: PairedCall): string | undefined => {
  if (call.outcome === undefined) return 'it was cancelled and never settled';
  if (replyOf(call)?.outcome === 'ok') return 'it was cancelled and succeeded';
  return call.answer !== undefined && before(call.answer, call.outcome) ? 'it settled only when its server answered' : undefined;
};

function judgeNotices(history: History): Judgement {
  const calls = casePairs(history).filter(cancelled);
  if (calls.length === 0) return inconclusive('no cancelled call was on the wire');
  const notices = received(history, undefined, 'notifications/cancelled');
  for (const call of calls) {
    const own = notices.filter((notice) => isNamed(call.requests[0], notice));
    if (own.length !== 1) return fail(`${call.callId} was cancelled, and ${own.length} notices name its request`, [...placesOf(call), ...own.map(({ index }) => index)]);
  }
  const stray = notices.find((notice) => !mayBeGivenUp(history, notice));
  return stray === undefined ? pass(`${calls.length} cancellations, one notice each`) : fail('a notice names no request that was given up', [stray.index]);
}

/** Whether a notice names this request: of the same process, and over HTTP of the same session. */
function isNamed(request: At<FrameRecord> | undefined, { event }: At<FrameRecord>): boolean {
  const id = request === undefined ? undefined : idOf(request);
  return id !== undefined && id === paramsOf(event)['requestId'] && request?.event.pid === event.pid && request.event.session === event.session;
}

/** Whether it names a request that did not end well, whoever gave it up: the bound of a call or of a listing sends a notice as well. */
function mayBeGivenUp(history: History, notice: At<FrameRecord>): boolean {
  return frames(history, { direction: 'client-to-server', server: notice.event.server }).some((request) => {
    if (messageOf(request.event)['method'] === undefined || !isNamed(request, notice) || !before(request, notice)) return false;
    const call = casePairs(history).find(({ requests }) => requests.some(({ index }) => index === request.index));
    // An answer and a notice may pass each other on the way, so that of a call its end decides.
    return call === undefined ? !before(answerTo(history, request), notice) : replyOf(call)?.outcome !== 'ok';
  });
}

/** Cancelled calls settle by themselves, and the others have their own answers. */
function judgeCancelled(history: History): Judgement {
  const alone = each('cancelled call on the wire', cancelled, settledAlone)(history);
  if (alone.verdict !== 'pass') return alone;
  const others = ownAnswer(history);
  return others.verdict === 'fail' ? others : alone;
}

/** By invariant. */
export const callJudges: Readonly<Record<string, CaseJudge>> = {
  'CALL-001': each('call that reached its server', onWire, (call) => {
    const request = call.requests[0];
    const sent = request === undefined ? undefined : paramsOf(request.event)['arguments'];
    const given = call.call.event.request.arguments;
    return jsonEqual(sent ?? {}, given ?? {}) ? undefined : `its server received ${JSON.stringify(sent)}, given was ${JSON.stringify(given)}`;
  }),
  'CALL-002': withArguments,
  'CALL-003': each('call that reached its server', onWire, ({ requests }) => (requests.length > 1 ? `it was sent ${requests.length} times` : undefined)),
  'CALL-004': each('call in flight when its server ended', (call, history) => caught(history).some(({ callId }) => callId === call.callId), (call) => {
    const outcome = replyOf(call)?.outcome;
    if (outcome === undefined) return 'its server ended and it never settled';
    return outcome === 'ok' ? 'its server ended without an answer and it succeeded' : undefined;
  }),
  'CALL-005': each('call in flight when its server ended', (call, history) => caught(history).some(({ callId }) => callId === call.callId), (call) => {
    const executed = replyOf(call)?.executed;
    return executed === undefined || executed === 'unknown' ? undefined : `it is reported as executed: ${executed}`;
  }),
  'CALL-006': each('call with a result', answered, (call) => {
    const isError = answeredResult(call)?.['isError'] === true;
    const reply = replyOf(call);
    if (reply === undefined) return 'it never settled';
    if (!isError) return reply.outcome === 'ok' ? undefined : `its result is no error, and it ended as ${reply.outcome}: ${reply.message ?? ''}`;
    if (reply.outcome === 'ok') return 'its result is an error, and it succeeded';
    const missing = textsOf(call).find((text) => !readOf(reply).includes(text.trim()));
    return missing === undefined ? undefined : `the text ${JSON.stringify(missing)} of its error is not shown`;
  }),
  'CALL-008': each('call answered with an error of the protocol', (call) => owed(call) && call.answer !== undefined && isObject(messageOf(call.answer.event)['error']), (call, history) => {
    const error = call.answer === undefined ? undefined : messageOf(call.answer.event)['error'];
    const message = isObject(error) ? error['message'] : undefined;
    const reply = replyOf(call);
    if (reply?.outcome === 'ok') return 'it was answered with an error, and succeeded';
    return typeof message === 'string' && !isReadable(history, call, message) ? `the message ${JSON.stringify(message)} of its server is not shown` : undefined;
  }),
  'CALL-009': each('call of a program with a result', (call) => answered(call) && call.call.event.request.via === 'program' && answeredResult(call)?.['isError'] !== true, (call) => {
    const { content, structuredContent } = (answeredResult(call) ?? {}) as { content?: unknown; structuredContent?: unknown };
    const due = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
    return jsonEqual(replyOf(call)?.value, due) ? undefined : `its value is ${JSON.stringify(replyOf(call)?.value)?.slice(0, 200) ?? 'absent'}`;
  }),
  'CALL-010': judgeNotices,
  'CALL-011': judgeCancelled,
  'WIRE-005': ownAnswer,
  'WIRE-006': ownAnswer,
};
