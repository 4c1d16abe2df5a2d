/** Delays, budget and uptime. */
import { AWAITED, QUIET } from '../../../src/checks/connection/steps.ts';
import { offered, type JudgeHistories } from '../builder.ts';
import { healthy, Story } from './lives.ts';

const POLICY = { reconnect: { initialDelayMs: 40, maxDelayMs: 100, maxAttempts: 4 } };

/** A loss, and attempts after these times, each of which fails. */
function tried(gaps: readonly number[], ageMs = 0, policy: object = POLICY): Story {
  const story = healthy('punctual', { ...policy }).ended(1);
  gaps.forEach((gap, at) => story.wait(gap).began(at + 2, ageMs).ended(at + 2));
  return story;
}

const FAR = { reconnect: { initialDelayMs: 15, maxDelayMs: 1_000, maxAttempts: 6 } };
const doubled = (...gaps: readonly number[]): Story => tried(gaps, 0, FAR);

const stayed = (): Story => new Story('punctual').asked('open', { reconnect: { initialDelayMs: 250, maxDelayMs: 5_000 } })
  .began(1).listed(1, 'error').leaving(1).wait(100).sign(1).killed(1);

const BUDGET = { reconnect: { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 2 } };

/** Lost, and so many attempts that fail. */
function spent(attempts: number): Story {
  const story = healthy('spent', BUDGET).ended(1);
  for (let n = 2; n < attempts + 2; n += 1) story.wait(20 * 2 ** (n - 2)).began(n).ended(n);
  return story.barrier(AWAITED, attempts >= 2);
}

const anew = (story: Story, n: number): Story => story.barrier(QUIET, false).registry([]).asked('reload', BUDGET).began(n).listed(n).settled('reload').registry().echoed(n);
const GIVEN_UP = 'given up';

const refreshed = (failures: number): Story => {
  const story = healthy('spent', { reconnect: { maxAttempts: 1 } });
  for (let n = 0; n < failures; n += 1) story.with((builder) => builder.announced('spent')).listed(1, 'error').echoed(1);
  return story.ended(1);
};

const MOODY = { reconnect: { initialDelayMs: 20, maxDelayMs: 400, maxAttempts: 2 } };
const brief = (...gaps: readonly number[]): Story => {
  const story = healthy('moody', MOODY).ended(1);
  gaps.forEach((gap, at) => story.wait(gap).began(at + 2).listed(at + 2).wait(5).ended(at + 2));
  return story;
};
const spentMoody = (story: Story): Story => story.barrier(QUIET, false).registry([]);
const nearly = (ms: number): Story => healthy('moody', { reconnect: { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 1 } }).ended(1).wait(20).began(2).listed(2).wait(ms).ended(2);
const lived = (ms: number): Story => healthy('moody', MOODY).ended(1).wait(20).began(2).ended(2).wait(40).began(3).listed(3).wait(ms).ended(3);

/** What the judges of delays, budget and uptime must refuse and must let pass. */
export const attemptHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-010/after-a-loss',
    mustFail: [
      tried([40, 40, 100, 100]).named('the second delay is the first again'), tried([38, 80, 100, 100]).named('a little too early'), tried([40, 80, 100, 4_000]).named('seconds too late'),
      tried([40, 80]).barrier(AWAITED, false).named('the third never comes'), tried([200, 200, 200, 200], 190).named('processes that took long to say so, and began too early'),
    ],
    mustPass: [tried([40, 80, 100, 100]).named('to the millisecond'), tried([700, 900, 800, 850], 600).named('a slow machine')],
    mustDoubt: [healthy('punctual', POLICY).named('nothing was lost'), tried([]).asked('close').named('closed before the first')],
  },
  {
    check: 'CONNECTION-010/doubling',
    mustFail: [doubled(15, 30, 60, 60, 60, 60).named('it stops growing early'), doubled(15, 30, 45, 60, 75, 90).named('it grows evenly'), doubled(15, 30, 60, 120, 240).barrier(AWAITED, false).named('the sixth never comes')],
    mustPass: [doubled(15, 30, 60, 120, 240, 480).named('to the millisecond'), doubled(300, 300, 300, 400, 500, 900).named('a slow machine')],
    mustDoubt: [doubled(15, 30, 60).named('three attempts, and nobody waited for more')],
  },
  {
    check: 'CONNECTION-010/after-a-failed-start',
    mustFail: [new Story('punctual').asked('open', POLICY).began(1).ended(1).settled('open', 'degraded').wait(40).began(2).ended(2).wait(40).began(3).listed(3).echoed(3).named('the second delay did not grow')],
    mustPass: [
      new Story('punctual').asked('open', POLICY).began(1).ended(1).settled('open', 'degraded').wait(40).began(2).ended(2).wait(80).began(3).named('never well'),
      new Story('punctual').asked('open', POLICY).wait(900).began(1, 800).ended(1).settled('open', 'degraded').log('warn', 'not yet').wait(700).began(2, 600).ended(2).settled('reload', 'degraded').wait(900).began(3, 700).listed(3).echoed(3).named('a slow machine, and well at last'),
    ],
    mustDoubt: [new Story('punctual').asked('open', POLICY).began(1).listed(1).settled('open').named('it started')],
  },
  {
    check: 'CONNECTION-010/stubborn',
    mustFail: [stayed().wait(150).began(2).listed(2).named('counted from the failed listing')],
    mustPass: [stayed().wait(260).began(2).listed(2).named('counted from when it was gone')],
    mustDoubt: [new Story('punctual').asked('open').began(1).listed(1, 'error').leaving(1).ended(1).wait(600).began(2).named('it left at once')],
  },
  {
    check: 'CONNECTION-011/after-a-loss',
    mustFail: [
      anew(spent(3).log('error', GIVEN_UP), 5).named('one attempt too many'), anew(spent(1).log('error', GIVEN_UP), 3).named('one too few'), anew(spent(2), 4).named('no error says so'),
      spent(2).log('error', GIVEN_UP).barrier(QUIET, false).registry().asked('reload', BUDGET).began(4).listed(4).echoed(4).named('the tools stay'),
      spent(2).log('error', GIVEN_UP).barrier(QUIET, false).registry([]).asked('reload', BUDGET).settled('reload').registry().refused().named('a reload does not help'),
    ],
    mustPass: [anew(spent(2).log('error', GIVEN_UP), 4).named('as it should be'), anew(spent(2).with((builder) => builder.log('error', 'MCP server spent: no more')), 4).named('the name stands in the text only')],
    mustDoubt: [healthy('spent', BUDGET).named('nothing was lost'), spent(2).log('error', GIVEN_UP).named('nobody waited for more')],
  },
  {
    check: 'CONNECTION-011/after-a-failed-start',
    mustFail: [anew(new Story('spent').asked('open', BUDGET).began(1).ended(1).settled('open', 'degraded').wait(20).began(2).ended(2).barrier(AWAITED, false).log('error', GIVEN_UP), 3).named('the failed start was counted')],
    mustPass: [anew(new Story('spent').asked('open', BUDGET).began(1).ended(1).settled('open', 'degraded').wait(20).began(2).ended(2).wait(40).began(3).ended(3).barrier(AWAITED).log('error', GIVEN_UP), 4).named('two attempts after the start')],
  },
  {
    check: 'CONNECTION-011/failed-refreshes',
    mustFail: [refreshed(3).barrier(AWAITED, false).named('no attempt is left'), refreshed(3).began(2).listed(2).registry().refused().named('the attempt comes to nothing')],
    mustPass: [refreshed(3).began(2).listed(2).registry().echoed(2).named('the attempt is left'), refreshed(5).began(2).listed(2).registry().echoed(2).named('more refreshes')],
    mustDoubt: [refreshed(3).named('nobody waited'), refreshed(1).began(2).listed(2).registry().echoed(2).named('one refresh only')],
  },
  {
    check: 'CONNECTION-012/dies-sooner',
    mustFail: [
      spentMoody(brief(20, 40, 20)).named('a third attempt'), spentMoody(brief(20, 20)).named('the delay starts afresh'), brief(20, 40).barrier(QUIET, false).registry().named('the tools stay'),
    ],
    mustPass: [spentMoody(brief(20, 40)).named('each an attempt of the same outage')],
    mustDoubt: [spentMoody(healthy('moody', MOODY).ended(1).wait(20).began(2).ended(2).wait(40).began(3).ended(3)).named('none came up'), spentMoody(brief(20)).named('one of two')],
  },
  {
    check: 'CONNECTION-012/dies-a-little-sooner',
    mustFail: [spentMoody(nearly(650).wait(20).began(3)).named('a second attempt'), nearly(650).barrier(QUIET, false).registry().named('the tools stay')],
    mustPass: [spentMoody(nearly(780)).named('the outage went on, a busy machine')],
    mustDoubt: [spentMoody(nearly(900).wait(20).began(3)).named('about as long as maxDelayMs'), spentMoody(nearly(5)).named('it died at once'), nearly(650).named('nobody waited')],
  },
  {
    check: 'CONNECTION-012/slow-start',
    mustFail: [spentMoody(healthy('moody', MOODY).ended(1).wait(20).began(2).wait(600).listed(2).ended(2).wait(40).began(3).wait(600).listed(3).ended(3).wait(20).began(4)).named('the time before the listing counts')],
    mustPass: [
      spentMoody(healthy('moody', MOODY).ended(1).wait(20).began(2).wait(600).listed(2).ended(2).wait(40).began(3).wait(600).listed(3).ended(3)).named('it does not'),
      spentMoody(healthy('moody', MOODY).ended(1).wait(800).began(2, 700).wait(2_500).listed(2, 'error').listed(2).wait(100).ended(2).wait(600).began(3, 500).wait(900).listed(3).ended(3).log('error', 'no more')).named('far slower, and asked for its list twice'),
    ],
    mustDoubt: [spentMoody(healthy('moody', MOODY).ended(1).wait(20).began(2).listed(2).wait(390).ended(2).wait(40).began(3).listed(3).ended(3)).named('about as long as maxDelayMs')],
  },
  {
    check: 'CONNECTION-012/lives-on',
    mustFail: [lived(900).barrier(AWAITED, false).named('no attempt follows'), lived(900).wait(20).began(4).ended(4).barrier(AWAITED, false).named('one attempt follows'), lived(900).wait(20).began(4).ended(4).wait(40).began(5).listed(5).registry().refused().named('it does not come back')],
    mustPass: [
      lived(900).wait(20).began(4).ended(4).wait(40).began(5).listed(5).registry().echoed(5).named('a new outage has all its attempts'),
      lived(5_000).wait(700).began(4, 600).ended(4).wait(900).began(5, 800).listed(5).listed(5).registry([offered('native'), offered('p_steady')]).refused().echoed(5).named('on a slow machine, and one call came too early'),
    ],
    mustDoubt: [lived(500).named('about as long as maxDelayMs'), lived(5).named('it died sooner')],
  },
];
