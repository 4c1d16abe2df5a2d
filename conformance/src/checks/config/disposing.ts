/** An instance that is being disposed is waited for, within a bound (CONFIG-010). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { livesOf } from '../connection/lives.ts';
import { overlap, refusedToLeave, requestsOf, servedBy } from '../connection/outage-facts.ts';
import { graces, stubborn } from '../connection/steps.ts';
import { callFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const SERVER = 'successor';
/** The one that goes needs about twice this. */
const GRACE_MS = 150;
/** Far less than the one that goes needs. */
const SHORT_WAIT_MS = 60;

/** Removes it and, while that is under way, adds the same name again. */
async function exercise(bench: Bench, options: Readonly<Record<string, unknown>>): Promise<BenchServer> {
  if (bench.subject.servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${bench.subject.servers}: it has no add`);
  const server = bench.serve(SERVER, script(SERVER, [], [stubborn(1)], { countFrom: 'spawn' }), { options: { ...graces(bench, GRACE_MS), ...options } });
  await bench.open([server]);
  await ask(bench, SERVER, STEADY);
  const removing = bench.remove(SERVER);
  const adding = bench.add(server);
  await Promise.all([removing, adding]);
  return server;
}

async function exerciseWait(bench: Bench): Promise<void> {
  await exercise(bench, {});
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

async function exerciseBound(bench: Bench): Promise<void> {
  const server = await exercise(bench, { nameWaitMs: SHORT_WAIT_MS });
  await bench.add(server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** Doubt unless the name was asked for while a process that would not leave was being ended. */
function whileLeaving(history: History): Judgement | undefined {
  const [old] = livesOf(history, SERVER);
  const removed = settledSteps(history, 'remove')[0];
  const asked = requestsOf(history, 'add')[0];
  return doubt(
    [old !== undefined && refusedToLeave(history, SERVER, old, GRACE_MS / 2), 'a process that stayed after it was asked to leave'],
    [removed !== undefined && asked !== undefined && asked.index < removed.index, 'a name that was asked for while its instance was being disposed'],
  );
}

function judgeWait(history: History): Judgement {
  const lives = livesOf(history, SERVER);
  const added = settledSteps(history, 'add')[0];
  const both = overlap(lives);
  const late = callFor(history, STEADY, SERVER);
  return first(
    whileLeaving(history),
    both === undefined ? undefined : fail(`process ${both.life.pid} still lived when process ${both.next.pid} of the same name had begun`, [both.next.start.index, both.life.lastSign.index]),
    added === undefined ? inconclusive('the addition did not settle') : undefined,
    added?.event.servers[0]?.status === 'ready' ? undefined : fail(`an instance that was being disposed counted as a conflict: ${added?.event.servers[0]?.message ?? ''}`, added === undefined ? [] : [added.index]),
    doubt([late !== undefined && late.call.index > (added?.index ?? 0), 'a call of the new instance']),
    late !== undefined && echoed(late) && servedBy(late, lives) === lives[1] ? undefined : fail('the new instance cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass('the new instance began when the old one was gone');
}

function judgeBound(history: History): Judgement {
  const [early, late] = settledSteps(history, 'add');
  const removed = settledSteps(history, 'remove')[0];
  const reply = early?.event.servers[0];
  const call = callFor(history, STEADY, SERVER);
  return first(
    whileLeaving(history),
    early === undefined ? inconclusive('the addition did not settle') : undefined,
    reply?.status === 'rejected' ? undefined : fail(`the name was waited for longer than nameWaitMs, the addition is ${reply?.status ?? ''}`, early === undefined ? [] : [early.index]),
    reply?.message?.includes(SERVER) === true ? undefined : fail(`the message does not say the name: ${reply?.message ?? ''}`, early === undefined ? [] : [early.index]),
    doubt([late !== undefined && late.index > (removed?.index ?? history.length), 'another addition when the old instance was gone']),
    late?.event.servers[0]?.status === 'ready' && echoed(call) ? undefined : fail('the name was not free when the old instance was gone', late === undefined ? [] : [late.index]),
  ) ?? pass('the name was waited for no longer than nameWaitMs, and free afterwards');
}

const base = { invariant: 'CONFIG-010' } as const;

/** Checks of names that are becoming free. */
export const disposingChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONFIG-010/waits', exercise: exerciseWait, judge: judgeWait }),
  scripted({ ...base, id: 'CONFIG-010/within-its-bound', options: ['nameWaitMs', 'closeGraceMs', 'terminateGraceMs'], exercise: exerciseBound, judge: judgeBound }),
];
