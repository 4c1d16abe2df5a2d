import type { CallReply } from '../../src/adapter/messages.ts';
import { canary } from '../../src/checks/support/scripts.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { attemptHistories } from './connection/attempts.ts';
import { earlyPingHistories } from './connection/early-pings.ts';
import { outageHistories } from './connection/outages.ts';
import { tellingHistories } from './connection/telling.ts';
import { wordHistories } from './connection/words.ts';
import { echo } from './echo.ts';

const tools = [offered('p_steady')];
const lost = (): HistoryBuilder => echo(history().step('open', ['lost']).registry(tools), 'lost', 'steady')
  .record('lost', { kind: 'process', event: 'exit', code: 3 })
  .call('p_steady', 'lost', 'steady', undefined, { outcome: 'failed', executed: 'unknown' });
const called = (builder: HistoryBuilder, reply: Partial<CallReply>, wireName?: string, tookMs = 0): HistoryBuilder => {
  builder.asked({ callId: 'late', name: 'p_steady', arguments: { probe: 'late' } }, { server: 'lost', rawName: 'steady' });
  if (wireName !== undefined) builder.wireCall('lost', wireName, { probe: 'late' });
  return builder.wait(tookMs).outcome('late', { outcome: 'failed', executed: 'no', view: [], ...reply });
};

const WHY = 'it exited with code 73: missing the configuration of the weather vane';
const spoke = (builder = history()): HistoryBuilder => builder.fault('early-exit', 'on-spawn', 'stderr').fault('early-exit', 'on-spawn', 'exit');
const failed = (early: string, missing: string): HistoryBuilder =>
  spoke().step('open', [{ name: 'early-exit', status: 'degraded', message: early }, { name: 'missing', status: 'rejected', message: missing }]);
const ENOENT = 'spawn /nonexistent/no-such-program-of-mcp-bridge-conformance ENOENT';

const SECRET = canary('Secret');
const ADDRESS = canary('Address');
const printed = (): HistoryBuilder => history().fault('telltale', 'on-spawn', 'stderr');
/** What the state says of a failed start. */
const stated = (builder: HistoryBuilder, name: string, lastError?: string): HistoryBuilder =>
  builder.event({ kind: 'state', moment: 'the start has failed', servers: [{ name, state: 'failed', tools: 0, ...(lastError === undefined ? {} : { lastError }) }] });

const HEADER = canary('Header');
const asked = (): HistoryBuilder => history().record('repeater', {
  kind: 'frame', direction: 'client-to-server', raw: '{}', bytes: 2, message: {}, http: { method: 'POST', requestHeaders: { 'x-auth': HEADER } },
});

/** What the judges of `connection` must refuse and must let pass. */
export const connectionHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-001/after-a-loss',
    mustFail: [
      called(lost(), {}, 'steady').named('it is sent later'), called(lost(), { outcome: 'ok' }).named('it succeeds'), called(lost(), { executed: 'unknown' }).named('as perhaps executed'),
      called(lost(), {}, undefined, 4_000).named('only after seconds'), called(lost().registry([]), {}).step('close').named('the tool is unregistered'),
      lost().named('the tool is not offered for another call'),
      lost().asked({ callId: 'late', name: 'p_steady', arguments: { probe: 'late' } }, { server: 'lost', rawName: 'steady' }).named('it never settles'),
    ],
    mustPass: [called(lost(), { message: 'gone' }).step('close').registry([]).named('unregistered by closing only')],
    mustDoubt: [history().named('no call'), called(echo(history().registry(tools), 'lost', 'steady'), {}).named('the server never ended')],
  },
  {
    check: 'CONNECTION-002/failed-starts',
    mustFail: [
      failed('it exited with code 73', ENOENT).named('the last words are lost'), failed('missing the configuration of the weather vane', ENOENT).named('the code is lost'),
      failed(WHY, 'connection closed').named('the program is not named'), spoke().step('open', [{ name: 'early-exit', status: 'ready', message: WHY }]).named('it is said to be ready'),
    ],
    mustPass: [spoke(history().log('error', WHY, 'early-exit')).step('open', [{ name: 'early-exit', status: 'degraded' }]).named('the reason stands in the log, one server only')],
    mustDoubt: [history().step('open', [{ name: 'early-exit', status: 'degraded', message: WHY }]).named('the process said nothing')],
  },
  {
    check: 'CONNECTION-003/printed-secret',
    mustFail: [
      printed().step('open', [{ name: 'telltale', status: 'degraded', message: `cannot log in with ${SECRET}` }]).named('in the message'),
      printed().log('warn', `at ${ADDRESS} for now`).step('open', ['telltale']).named('under a name that says nothing of a secret'),
      printed().log('debug', `stderr: ${SECRET.slice(0, 70)}`).step('open', ['telltale']).named('in a log, cut'),
      stated(printed().step('open', [{ name: 'telltale', status: 'degraded', message: 'it exited with code 1' }]), 'telltale', `cannot log in with ${SECRET}`).named('in the state alone'),
    ],
    mustPass: [
      stated(printed().log('warn', 'cannot log in with [redacted]').step('open', [{ name: 'telltale', status: 'rejected' }]), 'telltale').named('redacted'),
      stated(printed().log('warn', `cannot log in with ${SECRET.slice(0, 6)}***`).log('info', 'MCPBC_LOGIN_TOKEN and DATABASE_URL are set').step('open', ['telltale']), 'telltale', 'MCPBC_LOGIN_TOKEN was refused').named('a few letters of it, and the names of the variables'),
    ],
    mustDoubt: [
      stated(history().step('open', ['telltale']), 'telltale').named('nothing was printed'),
      printed().step('open', [{ name: 'telltale', status: 'rejected' }]).named('nobody asked for the state'),
    ],
  },
  {
    check: 'CONNECTION-003/repeated-header',
    mustFail: [asked().step('open', [{ name: 'repeater', status: 'degraded', message: `nobody has a key like ${HEADER}` }]).named('in the message'), stated(asked().step('open', ['repeater']), 'repeater', `401: ${HEADER}`).named('in the state alone')],
    mustPass: [
      stated(asked().step('open', [{ name: 'repeater', status: 'degraded', message: 'nobody has a key like [redacted]' }]), 'repeater').named('redacted'),
      stated(asked().log('error', 'the server refused x-auth: (72 characters)').step('open', [{ name: 'repeater', status: 'rejected' }]).registry([offered('native')]), 'repeater', '401 Unauthorized').named('the header is named with the length of its value'),
    ],
    mustDoubt: [
      stated(history().step('open', ['repeater']), 'repeater').named('nothing was sent'),
      asked().step('open', ['repeater']).named('nobody asked for the state'),
    ],
  },
  ...attemptHistories,
  ...outageHistories,
  ...earlyPingHistories,
  ...tellingHistories,
  ...wordHistories,
];
