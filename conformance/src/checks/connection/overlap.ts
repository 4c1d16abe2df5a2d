/** Two processes of one server at once (CONNECTION-017). */
import type { Bench } from '../../bench/bench.ts';
import { survivors } from '../../bench/processes.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, placesOf } from '../support/facts.ts';
import { onSpawn, script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { livesOf } from './lives.ts';
import { overlap, refusedToLeave } from './outage-facts.ts';
import { AWAITED, graces, inLife, lose, recovered, startedTimes, stubborn } from './steps.ts';

const SERVER = 'alone';
const RECONNECT = { initialDelayMs: 20, maxDelayMs: 40 } as const;
/** Longer than any check runs, so that a helper does not leave by itself. */
const LIFETIME_MS = 60_000;

/** Its list fails, so it is given up, and it will not leave. */
async function exerciseStubborn(bench: Bench): Promise<void> {
  const rules = [stubborn(1), inLife(1, 'tools/list', [{ error: { code: -32603, message: 'no list today' } }])];
  const server = await openOne(bench, SERVER, script(SERVER, [], rules, { countFrom: 'spawn' }), { reconnect: RECONNECT, ...graces(bench, 120) });
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: 10_000 });
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function judgeStubborn(history: History): Judgement {
  const lives = livesOf(history, SERVER);
  const [old, next] = lives;
  const both = overlap(lives);
  if (both !== undefined) return fail(`process ${both.life.pid} still lived when process ${both.next.pid} of the same server had begun`, [both.next.start.index, both.life.lastSign.index]);
  const late = callFor(history, STEADY, SERVER);
  return doubt(
    [old !== undefined && refusedToLeave(history, SERVER, old, 100), 'a process that stayed after it was asked to leave'], [next !== undefined, 'a second process'], [late !== undefined, 'a call of it'],
  ) ?? (echoed(late) ? pass('the second process began when the first one was gone') : fail('the second process cannot be called', late === undefined ? [] : placesOf(late)));
}

/** Its leader goes, a helper that it started stays, holds the pipes and will not leave. */
async function exerciseHelper(bench: Bench): Promise<void> {
  const helper = onSpawn([{ spawn: { holdStdio: true, ignoreTerm: true, ownGroup: false, lifetimeMs: LIFETIME_MS } }]);
  const rules = [{ ...helper, when: { ...helper.when, incarnation: 1 } }];
  const server = await openOne(bench, SERVER, script(SERVER, [], rules, { countFrom: 'spawn' }), { reconnect: RECONNECT, ...graces(bench, 120) });
  await bench.wire(server, 'the helper runs', (record) => record.kind === 'process' && record.event === 'grandchild');
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: 10_000 });
  const started = server.fixture.records.flatMap((record) => (record.kind === 'process' && record.childPid !== undefined ? [record.childPid] : []));
  bench.record({ atMs: nowMs(), kind: 'processes', started, alive: await survivors(started, 0) });
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function judgeHelper(history: History): Judgement {
  const [, next] = livesOf(history, SERVER);
  const helpers = wireRecords(history, 'process', SERVER).flatMap(({ event }) => (event.childPid === undefined ? [] : [event.childPid]));
  const counted = eventsOf(history, 'processes')[0];
  const doubted = doubt([helpers.length > 0, 'a helper'], [next !== undefined && counted !== undefined && counted.index > next.start.index, 'a look at the helper after the next process had begun']);
  if (doubted !== undefined || counted === undefined || next === undefined) return doubted ?? inconclusive('nobody looked');
  const left = helpers.find((pid) => counted.event.alive.includes(pid));
  if (left !== undefined) return fail(`process ${left} of the lost server's group still lived when the next one had begun`, [next.start.index, counted.index]);
  const late = callFor(history, STEADY, SERVER);
  return echoed(late) ? pass('nothing of the lost server was left when the next process began') : doubt([late !== undefined, 'a call of the second process']) ?? fail('the second process cannot be called', late === undefined ? [] : placesOf(late));
}

const base = { invariant: 'CONNECTION-017', options: ['reconnect'] } as const;

/** Checks of overlapping. */
export const overlapChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-017/refuses-to-leave', exercise: exerciseStubborn, judge: judgeStubborn }),
  scripted({ ...base, id: 'CONNECTION-017/helper-stays', exercise: exerciseHelper, judge: judgeHelper }),
];
