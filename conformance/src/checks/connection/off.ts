/** A first connection that fails with reconnection off (CONNECTION-016). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { settledSteps } from '../../history/views.ts';
import { fail, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { livesOf } from './lives.ts';
import { linesAbout, requestsOf, toolsGone, untilAsked, waitedInVain } from './outage-facts.ts';
import { inLife, quiet } from './steps.ts';

const SERVER = 'once';
const RECONNECT = { enabled: false, initialDelayMs: 20, maxDelayMs: 40 } as const;

async function exercise(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [], [inLife(1, 'initialize', [{ exit: 2 }])]), { reconnect: RECONNECT });
  await quiet(bench, server, RECONNECT.maxDelayMs);
  await bench.look();
  if (bench.subject.features.includes('reload')) await bench.reload(SERVER);
  else {
    await bench.close();
    await bench.open([server]);
  }
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function judge(history: History): Judgement {
  const asked = untilAsked(history);
  const settled = settledSteps(history, 'open')[0];
  const lives = livesOf(history, SERVER);
  const before = lives.filter(({ start }) => start.index < asked);
  const error = linesAbout(history, SERVER, 'error').find(({ index }) => index < asked);
  const late = callFor(history, STEADY, SERVER);
  const doubted = doubt([settled !== undefined && before[0]?.end !== undefined, 'a first connection that failed']);
  if (doubted !== undefined) return doubted;
  return first(
    before.length === 1 ? undefined : fail(`reconnection is off, and ${before.length} processes were started`, before.map(({ start }) => start.index)),
    settled?.event.servers.every(({ status }) => status === 'degraded') === true ? undefined : fail('a failed first connection is not said to be without tools', settled === undefined ? [] : [settled.index]),
    error === undefined ? fail('no error says that the first connection failed', settled === undefined ? [] : [settled.index]) : undefined,
    waitedInVain(history),
    toolsGone(history, SERVER, asked),
    doubt([requestsOf(history, 'reload').length + requestsOf(history, 'open').length > 1 && late !== undefined, 'a call after the reload']),
    echoed(late) ? undefined : fail('after a reload the server cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass('it had no tools and was not tried again before the reload');
}

/** Checks of reconnection that is off. */
export const offChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-016/first-start', invariant: 'CONNECTION-016', options: ['reconnect'], exercise, judge }),
];
