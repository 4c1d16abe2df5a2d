/** Calls in an outage, recoveries, reconnection that is off, processes at once. */
import { AWAITED, QUIET } from '../../../src/checks/connection/steps.ts';
import { offered, type HistoryBuilder, type JudgeHistories, type NamedHistory } from '../builder.ts';
import { healthy, Story } from './lives.ts';

const HOLD = 'coming-back';
const held = (story: Story): Story => story.with((builder) => builder.record('away', { kind: 'hold', hold: HOLD, event: 'held' }, 2));
const released = (story: Story): Story => story.with((builder) => builder.record('away', { kind: 'hold', hold: HOLD, event: 'released' }, 2));
const away = (): Story => held(healthy('away').ended(1).wait(20).began(2)).registry();
const again = (story: Story): Story => released(story).listed(2).echoed(2);
const queued = (builder: HistoryBuilder): unknown => builder.asked({ callId: 'kept', name: 'p_steady', arguments: { probe: 'kept' } }, { server: 'away', rawName: 'steady' });

/** Two servers' worth of tools, by what their calls reach. */
const BEFORE = [offered('p_gone'), offered('p_kept'), offered('q_one')];
const AFTER = [offered('p_kept'), offered('p_fresh'), offered('q_one')];
const SHOWN = 'the list of the recovered server is shown';
const replaced = (): Story => new Story('returning').asked('open').began(1).listed(1, ['gone', 'kept']).settled('open').registry(BEFORE)
  .echoed(1, 'gone').echoed(1, 'kept').ended(1).began(2).barrier(AWAITED).listed(2, ['kept', 'fresh']).barrier(SHOWN);

const unchanged = (): Story => new Story('returning').asked('open').began(1).listed(1, ['gone', 'kept']).settled('open').registry(BEFORE).ended(1).began(2).listed(2, ['gone', 'kept']);
const called = (story: Story): Story => story.echoed(2, 'gone').echoed(2, 'kept');

const off = (): Story => new Story('once').asked('open', { reconnect: { enabled: false } }).began(1).ended(1);
const reloaded = (story: Story): NamedHistory['history'] => story.barrier(QUIET, false).registry([]).asked('reload').began(7).listed(7).settled('reload').registry().echoed(7).named('').history;
const offStory = (name: string, story: Story): NamedHistory => ({ name, history: reloaded(story) });

const stubborn = (): Story => new Story('alone').asked('open').began(1).listed(1, 'error').leaving(1).wait(150).sign(1);
const helped = (): Story => new Story('alone').asked('open').began(1)
  .with((builder) => builder.record('alone', { kind: 'process', event: 'grandchild', childPid: 900 }, 1)).listed(1).settled('open').registry().echoed(1).ended(1).wait(20);
const counted = (alive: number[]) => (builder: HistoryBuilder): unknown => builder.event({ kind: 'processes', started: [900], alive });

/** What the judges of outages must refuse and must let pass. */
export const outageHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-013/listing-under-way',
    mustFail: [
      again(away().with((builder) => builder.call('p_steady', 'away', 'steady'))).named('it goes to a server that was not listed yet'),
      again(away().with((builder) => builder.call('p_steady', 'away', 'steady', 'steady', { outcome: 'failed', executed: 'unknown' }))).named('sent, and given up'),
    ],
    mustPass: [again(away().refused({ outcome: 'tool-error', message: 'not yet' })).named('whatever kind of failure')],
    mustDoubt: [again(away()).named('no call in the outage')],
  },
  {
    check: 'CONNECTION-013/attempt-under-way',
    mustFail: [
      again(away().refused({ executed: 'unknown' })).named('as perhaps executed'), again(away().refused({ outcome: 'ok' })).named('as a success'),
      released(away().with(queued)).listed(2).with((builder) => builder.wireCall('away', 'steady', { probe: 'kept' }).outcome('kept')).echoed(2).named('kept and sent later'),
      released(away().with(queued)).listed(2).with((builder) => builder.outcome('kept', { outcome: 'failed', executed: 'no' })).echoed(2).named('failed when it was over'),
      again(away().registry([]).refused()).named('the tools were taken away'), released(away().refused()).listed(2).registry().refused().named('no recovery'),
    ],
    mustPass: [again(away().refused({ message: 'not now' }).registry([offered('p_steady'), offered('q_other')])).named("another server's tool came meanwhile")],
    mustDoubt: [again(away()).named('no call in the outage'), healthy('away').named('no outage')],
  },
  {
    check: 'CONNECTION-014/changed-list',
    mustFail: [
      replaced().registry([...BEFORE, offered('p_fresh')]).echoed(2, 'gone').echoed(2, 'kept').echoed(2, 'fresh').named('the old tool is left'),
      replaced().registry([offered('p_kept'), offered('p_kept'), offered('p_fresh')]).echoed(2, 'kept').echoed(2, 'fresh').named('one is there twice'),
      replaced().registry([offered('p_fresh'), offered('p_kept')]).echoed(2, 'kept').echoed(2, 'fresh').named('not in the order of the list'),
      replaced().registry(AFTER).echoed(1, 'kept').echoed(2, 'fresh').named('a call went to the old process'),
      new Story('returning').asked('open').began(1).listed(1, ['gone', 'kept']).settled('open').registry(BEFORE).ended(1).barrier(AWAITED, false).named('nothing is started'),
    ],
    mustPass: [
      replaced().registry(AFTER).echoed(2, 'kept').echoed(2, 'fresh').named('replaced, another server left alone'),
      new Story('returning').asked('open').began(1).listed(1, ['gone', 'kept']).settled('open').registry(BEFORE).echoed(1, 'gone').ended(1).began(2).ended(2).began(3).listed(3, ['kept', 'fresh'])
        .barrier('the list of the recovered server is shown').registry(AFTER).echoed(3, 'kept').echoed(3, 'fresh').named('the first attempt fails by itself'),
    ],
    mustDoubt: [new Story('returning').asked('open').began(1).listed(1).settled('open').registry(BEFORE).named('nothing was lost')],
  },
  {
    check: 'CONNECTION-015/unchanged-list',
    mustFail: [
      called(unchanged().registry([offered('q_one'), offered('p_gone'), offered('p_kept')])).registry(BEFORE).named('moved behind the other server'),
      called(unchanged().registry([offered('q_one')], 'told').registry(BEFORE, 'told')).registry(BEFORE).named('gone for a moment'),
      called(unchanged().registry([offered('p_gone', 'anew'), offered('p_kept'), offered('q_one')])).registry(BEFORE).named('another description'),
      called(unchanged().registry(BEFORE, 'told')).registry(BEFORE).named('told of a change that was none'),
      unchanged().registry(BEFORE).echoed(2, 'kept').refused().registry(BEFORE).named('one of them is deaf'),
    ],
    mustPass: [called(unchanged().registry(BEFORE)).registry(BEFORE).asked('close').registry([], 'told').named('untouched until the end')],
    mustDoubt: [called(unchanged()).named('nobody looked afterwards')],
  },
  {
    check: 'CONNECTION-016/first-start',
    mustFail: [
      offStory('tried again', off().log('error', 'no').settled('open', 'degraded').began(2).ended(2)), offStory('no error', off().settled('open', 'degraded')),
      offStory('said to be ready', off().log('error', 'no').settled('open')),
      off().log('error', 'no').settled('open', 'degraded').barrier(QUIET, false).registry([]).asked('reload').settled('reload').registry().with((builder) => builder.call('p_steady', 'once', 'steady', 'steady', { outcome: 'failed' })).named('a reload does not help'),
    ],
    mustPass: [
      offStory('quiet until the reload', off().log('error', 'no').settled('open', 'degraded')),
      off().settled('open', 'degraded').with((builder) => builder.log('error', 'MCP server once: no connection, and none will be tried')).barrier(QUIET, false).registry([offered('q_other')], 'told').registry([offered('q_other')])
        .asked('reload').wait(900).began(2, 800).listed(2).settled('reload').registry([offered('q_other'), offered('p_steady')]).echoed(2).named('told after the opening had settled, the name in the text only, beside another server'),
    ],
    mustDoubt: [healthy('once').named('it started')],
  },
  {
    check: 'CONNECTION-017/refuses-to-leave',
    mustFail: [
      stubborn().began(2).sign(1).killed(1).listed(2).registry().echoed(2).named('a sign of life after the next had begun'),
      stubborn().wait(30).sign(1).killed(1).wait(50).began(2, 70).listed(2).registry().echoed(2).named('the next one had begun long before it said so'),
      stubborn().killed(1).began(2).listed(2).registry().refused().echoed(1).with((builder) => builder.call('p_steady', 'alone', 'steady', 'steady', { outcome: 'failed' })).named('the second cannot be called'),
    ],
    mustPass: [stubborn().killed(1).wait(60).began(2, 50).listed(2).registry().echoed(2).named('slow to say that it began')],
    mustDoubt: [new Story('alone').asked('open').began(1).listed(1, 'error').leaving(1).ended(1).began(2).listed(2).echoed(2).named('it left at once'), stubborn().killed(1).named('no second process')],
  },
  {
    check: 'CONNECTION-017/helper-stays',
    mustFail: [helped().began(2).with(counted([900])).listed(2).echoed(2).named('the helper lives'), helped().began(2).with(counted([])).listed(2).registry().with((builder) => builder.call('p_steady', 'alone', 'steady', 'steady', { outcome: 'failed' })).named('the second cannot be called')],
    mustPass: [helped().began(2).with(counted([])).listed(2).echoed(2).named('the helper went with its leader')],
    mustDoubt: [helped().began(2).listed(2).echoed(2).named('nobody looked'), healthy('alone').ended(1).began(2).with(counted([])).echoed(2).named('no helper')],
  },
];
