import { history, offered, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { offeredBarrier } from '../../src/checks/support/facts.ts';
import { healthy as opened, type Story } from './connection/lives.ts';
import { echo, echoOf } from './echo.ts';

const BAD = ['exits-at-spawn', 'exits-at-initialize', 'refuses-the-list'];
function started(healthy: 'ready' | 'degraded', bad: 'degraded' | 'rejected' = 'degraded'): HistoryBuilder {
  const builder = history();
  for (const name of BAD) builder.fault(name, 'on-spawn', 'exit');
  return builder.step('open', [...BAD.map((name) => ({ name, status: bad })), { name: 'healthy', status: healthy }]);
}
const unsettled = (): HistoryBuilder => {
  const builder = history().event({ kind: 'request', step: 'open', servers: [] });
  for (const name of BAD) builder.fault(name, 'on-spawn', 'exit');
  return builder.barrier('open settles', false);
};

/** A call in flight while two servers go wrong; what became of it and of the next one. */
function beside(held: boolean, steady: boolean | 'in its turn' | 'in its turn, in vain' | 'never sent'): HistoryBuilder {
  const builder = history().asked({ callId: 'h', name: 'p_held', arguments: { probe: 'h' } }, { server: 'healthy', rawName: 'held' })
    .received('healthy', { jsonrpc: '2.0', id: 500, method: 'tools/call', params: { name: 'held', arguments: { probe: 'h' } } })
    .fault('hangs', 'on-fatal', 'hang').fault('dies', 'on-fatal', 'exit');
  if (steady === true) echo(builder, 'healthy', 'steady');
  else if (steady === false) builder.call('p_steady', 'healthy', 'steady', 'steady', { outcome: 'failed' });
  else builder.asked({ callId: 's', name: 'p_steady', arguments: { probe: 's' } }, { server: 'healthy', rawName: 'steady' }).barrier('s settles', false, 3_000);
  builder.sent('healthy', { jsonrpc: '2.0', id: 500, result: { content: [] } })
    .outcome('h', held ? { view: [echoOf('h')] } : { outcome: 'failed', view: [] });
  if (steady === 'in its turn') echo(builder.wireCall('healthy', 'steady', { probe: 's' }), 'healthy', 'steady');
  if (steady === 'in its turn, in vain') builder.unreached('p_steady', 'healthy', 'steady');
  return builder;
}

const tree = (): HistoryBuilder => history().step('open', ['with-helper']).record('with-helper', { kind: 'process', event: 'grandchild', childPid: 77 });

/** A server with a helper that ended by itself in a call. */
const lost = (): HistoryBuilder => history().step('open', ['lost']).record('lost', { kind: 'process', event: 'grandchild', childPid: 77 }).fault('lost', 'on-fatal', 'exit');

/** One server, called once, and a request to close. */
const closing = (): Story => opened('orderly').asked('close');

/** The same, of a process that stays. */
const staying = (): Story => opened('stubborn').asked('close');

/** What the judges of `isolation` must refuse and must let pass. */
export const isolationHistories: readonly JudgeHistories[] = [
  {
    check: 'ISOLATION-001/bad-starts',
    mustFail: [
      unsettled().named('opening never settles'), unsettled().unreached('p_steady', 'healthy', 'steady').named('opening never settles, and the healthy one cannot be called'), echo(started('degraded'), 'healthy', 'steady').named('the healthy one is not ready'),
      started('ready').page('healthy', [{ name: 'steady' }]).barrier(offeredBarrier('healthy', 'steady'), false).named('its tool is never offered'),
      started('ready').call('p_steady', 'healthy', 'steady', 'steady', { outcome: 'failed' }).named('its call fails'),
    ],
    mustPass: [echo(started('ready', 'rejected'), 'healthy', 'steady').named('the bad ones are rejected rather than degraded')],
    mustDoubt: [
      echo(history().step('open', ['healthy']), 'healthy', 'steady').named('no server went wrong'),
      echo(unsettled(), 'healthy', 'steady').named('bad starts are tried again for longer than anybody waits, and the healthy one works meanwhile'),
    ],
  },
  {
    check: 'ISOLATION-002/bad-calls',
    mustFail: [beside(false, true).named('the call in flight fails'), beside(true, false).named('the next call fails'), beside(true, 'in its turn, in vain').named('the next call is never sent, nor the one after it')],
    mustPass: [
      beside(true, true).named('both end with their answers'),
      beside(true, 'in its turn').named('one call at a time: the next one is sent when the one in flight is over'),
      echo(beside(true, true).registry([], 'told').record('dies', { kind: 'process', event: 'start' }, 2).registry([offered('p_held'), offered('p_steady')], 'told').log('error', 'dies was lost', 'dies'), 'dies', 'fatal_at_dies')
        .asked({ callId: 'hung', name: 'p_hangs', arguments: {} }, { server: 'hangs', rawName: 'fatal_at_hangs' }).named('the dead one comes back, the registry is empty for a moment, and the hung call never settles'),
    ],
    mustDoubt: [history().named('no call'), beside(true, 'never sent').named('the next call was not sent, and nobody called when the one in flight was over')],
  },
  {
    check: 'ISOLATION-003/trees',
    mustFail: [
      tree().step('close').event({ kind: 'processes', started: [5, 77], alive: [77] }).named('the helper is alive'),
      tree().barrier('close settles', false).named('closing never settles'),
    ],
    mustPass: [tree().step('close').event({ kind: 'processes', started: [5, 6, 77], alive: [] }).named('one process more was started, none is left')],
    mustDoubt: [history().step('close').event({ kind: 'processes', started: [5], alive: [] }).named('there was no helper')],
  },
  {
    check: 'ISOLATION-003/after-a-loss',
    mustFail: [
      lost().step('close').event({ kind: 'processes', started: [5, 77], alive: [77] }).named('the helper of the lost server is alive'),
      lost().barrier('close settles', false).named('closing never settles'),
    ],
    mustPass: [lost().step('close').event({ kind: 'processes', started: [5, 77, 6, 78], alive: [] }).named('it was started again before closing, and nothing of either life is left')],
    mustDoubt: [tree().step('close').event({ kind: 'processes', started: [5, 77], alive: [] }).named('no server ended by itself')],
  },
  {
    check: 'ISOLATION-004/orderly',
    mustFail: [
      closing().killed(1).named('killed before its input ended'), closing().leaving(1).wait(20).killed(1).named('killed 20 ms after its input ended'),
      closing().wait(2_000).killed(1).named('a signal after two seconds, and its input never ended'),
    ],
    mustPass: [
      closing().leaving(1).wait(50).ended(1, 0).named('it left by itself'), closing().leaving(1).wait(4_000).ended(1, 0).named('it took seconds, and was let'),
      closing().leaving(1).wait(60).ended(1, 7).named('it left with another code'),
    ],
    mustDoubt: [
      opened('orderly').ended(1, 0).asked('close').named('it was gone before'), closing().leaving(1).wait(3_000).killed(1).named('it did not leave in three seconds'),
      closing().named('nobody saw it end'),
    ],
  },
  {
    check: 'ISOLATION-005/stubborn',
    mustFail: [staying().killed(1).named('killed before its input ended'), staying().leaving(1).wait(2_000).killed(1).named('killed two seconds after its input ended, and never asked')],
    mustPass: [
      staying().leaving(1).wait(500).termed(1).wait(500).killed(1).named('one after the other'),
      staying().termed(1).termed(1).wait(2_000).killed(1).named('asked twice, and its input never ended'),
      staying().leaving(1).termed(1).wait(1).killed(1).named('killed soon after: how soon a busy process hears of a signal says nothing'),
    ],
    mustDoubt: [
      opened('stubborn').killed(1).asked('close').named('it was gone before'), staying().leaving(1).termed(1).named('nobody saw it end'),
      staying().leaving(1).ended(1, 0).named('it left by itself'),
    ],
  },
];
