/** Histories of servers that notify of this and that, and of what comes back. */
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

const SERVER = 'talkative';
const NEWS = { jsonrpc: '2.0', method: 'notifications/no/such', params: {} };
const PING = { jsonrpc: '2.0', id: 'a-ping', method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const PONG = { jsonrpc: '2.0', id: 'a-ping', result: {} };
const REFUSED = { jsonrpc: '2.0', id: 4_711, error: { code: -32_601, message: 'no such method' } };

/** The server says one after the other, the client answers so, and asks for its list. */
function exchange(told: readonly object[], said: readonly object[], incarnation = 1, builder = history()): HistoryBuilder {
  for (const message of told) builder.sent(SERVER, message, incarnation);
  for (const message of said) builder.received(SERVER, message, incarnation);
  return builder.received(SERVER, LIST, incarnation);
}
const asked = (...said: readonly object[]): HistoryBuilder => exchange([NEWS, PING, { ...PING, id: 4_711, method: 'no/such/method' }], said);

const forms: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    asked({ jsonrpc: '2.0', id: 1, method: 'notifications/initialized' }).named('initialized has an id'), asked({ jsonrpc: '2.0', id: null, method: 'notifications/cancelled', params: { requestId: 7 } }).named('cancelled has the id null'),
    asked({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'no' } }).named('a notification is refused'), asked({ jsonrpc: '2.0', error: { code: -32_601, message: 'no' } }).named('a notification is refused without an id'),
    asked({ jsonrpc: '2.0', result: {} }).named('a notification is acknowledged'), asked(PONG, PONG).named('a request is answered twice'), asked({ ...PONG, id: 'a-pong' }).named('an answer to nothing that was asked'),
    asked({ ...REFUSED, id: '4711' }).named('the id in another form'), asked({ ...REFUSED, error: {} }).named('an error of nothing'), asked({ ...REFUSED, error: { code: '-32601', message: 'no' } }).named('a code in letters'),
    asked({ ...REFUSED, error: { code: -32_601 } }).named('an error without a message'), asked({ ...REFUSED, error: 'no' }).named('an error that is a text'), asked({ ...REFUSED, error: { code: 0.5, message: 'no' } }).named('half a code'),
    asked({ ...PONG, error: { code: 1, message: 'no' } }).named('a result and an error'), exchange([NEWS], [PONG], 2, asked(PONG)).named('another process asked'),
  ],
  mustPass: [
    asked(PONG, REFUSED).named('as it should be'), asked(REFUSED, PONG).named('in another order'), asked().named('nothing is answered: another matter'), asked({ ...REFUSED, error: { code: -1, message: '', data: [] } }).named('an error with data, and with no words'),
    exchange([NEWS, { jsonrpc: '2.0', method: 'notifications/message', params: 'text' }], [{ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'invalid' } }]).named('what is no message is refused'),
    exchange([NEWS, { jsonrpc: '2.0', method: 'notifications/message', params: null }], [{ jsonrpc: '2.0', error: { code: -32_600, message: 'invalid' } }]).named('what is no message is refused, without an id'),
    exchange([NEWS, PING, PING], [PONG, PONG]).named('the server asks twice under one id'), exchange([NEWS, { ...PING, id: null }], [{ ...PONG, id: null }]).named('the server asks under the id null'),
    asked({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } }).named('a notification as it should be'),
    exchange([NEWS], [PONG], 1, history().record(SERVER, { kind: 'frame', direction: 'server-to-client', raw: 'noise', bytes: 5 })).named('an answer to something that cannot be read'),
  ],
  mustDoubt: [history().named('nothing was said'), history().sent(SERVER, NEWS).named('nobody spoke to the server afterwards'), exchange([PING], [PONG]).named('the server notified of nothing')],
};

/** A call in which the server notified, unless it did not, and how both calls end. */
function notified(first: 'answered' | 'failed', steady: 'answered' | 'failed' | 'gone', isTold = true): HistoryBuilder {
  const builder = history().page(SERVER, [{ name: 'notifying' }, { name: 'steady' }]).registry([offered('p_notifying'), offered('p_steady')]);
  if (isTold) builder.sent(SERVER, NEWS);
  if (first === 'answered') echo(builder, SERVER, 'notifying');
  else builder.call('p_notifying', SERVER, 'notifying', 'notifying', { outcome: 'failed', executed: 'unknown' });
  if (steady === 'answered') return echo(builder, SERVER, 'steady');
  if (steady === 'failed') return builder.unreached('p_steady', SERVER, 'steady');
  return builder.registry([]).barrier(`offered: ${JSON.stringify([SERVER, 'steady'])}`, false);
}

const harm: Omit<JudgeHistories, 'check'> = {
  mustFail: [notified('failed', 'answered').named('the call in which it notified fails'), notified('answered', 'failed').named('the call afterwards fails'), notified('answered', 'gone').named('the tools are gone afterwards')],
  mustPass: [
    notified('answered', 'answered').named('both are answered'),
    echo(exchange([], [], 2, notified('answered', 'answered').log('warn', 'an unknown notification', SERVER)), SERVER, 'steady').named('it is reported, listed again, and called again'),
  ],
  mustDoubt: [notified('answered', 'answered', false).named('the server notified of nothing'), history().named('no call')],
};

/** What the judges of notifications must refuse and must let pass. */
export const notificationHistories: readonly JudgeHistories[] = [
  { check: 'WIRE-047/over-stdio', ...forms },
  { check: 'WIRE-047/over-http', ...forms },
  { check: 'WIRE-048/over-stdio', ...harm },
  { check: 'WIRE-048/over-http', ...harm },
  { check: 'WIRE-050/nonsense', ...harm },
];
