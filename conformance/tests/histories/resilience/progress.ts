/** Calls with progress, and failures beside a schema. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo, echoOf } from '../echo.ts';

const SERVER = 'industrious';
const TIMED_OUT: Partial<CallReply> = { outcome: 'timed-out', executed: 'unknown', view: [] };

/** A call goes out, with this token. */
function called(builder: HistoryBuilder, rawName: string, token?: string | number): HistoryBuilder {
  const _meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return builder.asked({ callId: rawName, name: `p_${rawName}`, arguments: { probe: rawName } }, { server: SERVER, rawName })
    .received(SERVER, { jsonrpc: '2.0', id: rawName, method: 'tools/call', params: { name: rawName, arguments: { probe: rawName }, ..._meta } });
}

const told = (builder: HistoryBuilder, token: string | number): HistoryBuilder => builder.sent(SERVER, { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } });

interface Asked {
  readonly token?: string | number;
  readonly gapMs?: number;
  readonly busy?: Partial<CallReply>;
  readonly restMs?: number;
  readonly endless?: Partial<CallReply> | 'none';
}

/** One that answers after 800 ms of progress, and one that goes on until something ends it. */
function asked({ token = 'b', gapMs = 100, busy = { view: [echoOf('busy')] }, restMs = 690, endless = TIMED_OUT }: Asked = {}): HistoryBuilder {
  const builder = called(called(history().step('open', [SERVER]), 'busy', token), 'endless', 'e');
  for (let at = 0; at < 800 / gapMs; at += 1) told(told(builder.wait(gapMs), token), 'e');
  builder.sent(SERVER, { jsonrpc: '2.0', id: 'busy', result: { content: [echoOf('busy')] } }).outcome('busy', busy);
  for (let at = 0; at < restMs; at += 100) told(builder.wait(100), 'e');
  return endless === 'none' ? builder : builder.outcome('endless', endless);
}

const withoutToken = (): HistoryBuilder => called(called(history(), 'busy'), 'endless', 'e').wait(510).outcome('busy', TIMED_OUT).outcome('endless', TIMED_OUT);

/** A call with a limit of 500 ms that is told of all the time. */
function unasked(tookMs: number, reply: Partial<CallReply> | 'none' = TIMED_OUT, everyMs = 100): HistoryBuilder {
  const builder = called(history(), 'endless');
  for (let at = everyMs; at <= tookMs; at += everyMs) told(builder.wait(everyMs - 1), 1);
  return reply === 'none' ? builder : builder.outcome('endless', reply);
}

const WORDS = 'the weather vane is frozen';
const NAMES = ['without-structure', 'against-its-schema'] as const;

/** Two failures, the second of which ended so. */
function failures(reply: Partial<CallReply> = {}): HistoryBuilder {
  const builder = echo(history().step('open', ['candid']), 'candid', 'steady');
  for (const name of NAMES) {
    builder.asked({ callId: name, name: `p_${name}`, arguments: { probe: name } }, { server: 'candid', rawName: name })
      .wireCall('candid', name, { probe: name }, { content: [{ type: 'text', text: WORDS }], isError: true })
      .outcome(name, { outcome: 'tool-error', view: [{ type: 'text', text: WORDS }], ...(name === 'against-its-schema' ? reply : {}) });
  }
  return builder;
}

/** What the judges of progress and of failures beside a schema must refuse and must let pass. */
export const progressHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-034/alive-and-endless',
    mustFail: [
      withoutToken().named('no progress is asked for'), asked({ busy: TIMED_OUT }).named('progress keeps nothing alive'), asked({ restMs: 5_500 }).named('no hard limit'), asked({ endless: 'none' }).named('the endless one never ends'),
      asked({ restMs: 100 }).named('given up in the middle of progress'), asked({ endless: { outcome: 'failed', view: [] } }).named('not told from other failures'),
    ],
    mustPass: [asked().named('alive, and ended at the limit'), asked({ token: 7, restMs: 2_000 }).named('a number for a token, ended a little later')],
    mustDoubt: [asked({ gapMs: 800 }).named('the server was silent for too long'), history().named('no call'), called(history(), 'busy', 'b').named('one call only')],
  },
  {
    check: 'CALL-035/nobody-asked',
    mustFail: [unasked(5_000).named('extended again and again'), unasked(510, { outcome: 'failed', view: [] }).named('not told from other failures'), unasked(300).named('given up early'), unasked(900, { outcome: 'ok' }).named('a success'), unasked(900, 'none').named('it never ends')],
    mustPass: [unasked(510).named('ended at its limit'), unasked(1_800).named('a busy machine')],
    mustDoubt: [history().named('no call'), called(history(), 'endless').wait(510).outcome('endless', TIMED_OUT).named('nothing was told of it')],
  },
  {
    check: 'CALL-021/beside-a-schema',
    mustFail: [failures({ view: [], message: 'structured content does not match' }).named("the validator's words in place of the tool's"), failures({ outcome: 'ok' }).named('a success')],
    mustPass: [failures().named('the words of the tool'), failures({ outcome: 'failed', view: [], message: `${WORDS}; and its structure does not fit` }).named('both')],
    mustDoubt: [history().named('no call'), echo(history(), 'candid', 'steady').named('one call only')],
  },
];
