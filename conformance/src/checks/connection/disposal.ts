/** A server that is given up in the middle of an outage (CONNECTION-019). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import { survivors } from '../../bench/processes.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, holds, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { ANSWER, script, STEADY } from '../support/scripts.ts';
import { ask, heldAt, openOne } from '../support/steps.ts';
import { livesOf } from './lives.ts';
import { requestsOf, toolsGone, waitedInVain } from './outage-facts.ts';
import { graces, inLife, lose, quiet, startedTimes, stubborn } from './steps.ts';

const SERVER = 'leaver';
const HOLD = 'under-way';
/** Long enough that a removal comes before the attempt. */
const DELAY_MS = 300;

/** Removes it, looks at once which of its processes live, waits for what should not come, and takes it again. */
async function giveUp(bench: Bench, server: BenchServer, dueMs: number): Promise<void> {
  await bench.remove(SERVER);
  const started = server.fixture.processes.map(({ pid }) => pid);
  bench.record({ atMs: nowMs(), kind: 'processes', started, alive: await survivors(started, 0) });
  await bench.look();
  await quiet(bench, server, dueMs);
  await server.program(script(SERVER, []));
  await bench.add(server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function needDynamic(bench: Bench): void {
  if (bench.subject.servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${bench.subject.servers}: it has no remove`);
}

async function exerciseWaiting(bench: Bench): Promise<void> {
  needDynamic(bench);
  const server = await openOne(bench, SERVER, script(SERVER, []), { reconnect: { initialDelayMs: DELAY_MS, maxDelayMs: DELAY_MS } });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  // It comes back when the loss is known.
  await ask(bench, SERVER, STEADY, { boundMs: 2_000 });
  await giveUp(bench, server, DELAY_MS);
}

/** The attempt waits in this method, in a process that will not leave. */
function exerciseUnderWay(method: string): (bench: Bench) => Promise<void> {
  return async (bench) => {
    needDynamic(bench);
    const held: Action[] = [{ hold: HOLD }, ANSWER];
    const options = { reconnect: { initialDelayMs: 20, maxDelayMs: 40 }, ...graces(bench, 100) };
    const server = await openOne(bench, SERVER, script(SERVER, [], [stubborn(2), inLife(2, method, held)], { countFrom: 'spawn' }), options);
    await ask(bench, SERVER, STEADY);
    await lose(bench, server);
    await bench.wire(server, 'the attempt begins', startedTimes(2));
    await bench.wire(server, 'the attempt is under way', heldAt(HOLD));
    await giveUp(bench, server, 2 * 40);
  };
}

/** The judge of all of them. */
function judge(history: History): Judgement {
  const lives = livesOf(history, SERVER);
  const removal = requestsOf(history, 'remove')[0];
  const removed = settledSteps(history, 'remove')[0];
  const [lost] = lives;
  if (removal === undefined || lost?.end === undefined || lost.end.index > removal.index) return inconclusive('not in the history: a server that was lost and then removed');
  if (removed === undefined) {
    const unsettled = barrierOf(history, 'remove settles');
    return unsettled?.event.reached === false ? fail('the removal never settled', [removal.index, unsettled.index]) : inconclusive('the removal did not settle');
  }
  if (removed.event.error !== undefined) return fail(`the removal failed: ${removed.event.error}`, [removed.index]);
  const addition = requestsOf(history, 'add')[0];
  const counted = eventsOf(history, 'processes').find(({ index }) => index > removed.index);
  // A process may have begun before the removal, and come to its first word only afterwards.
  const after = lives.find(({ start, beganAtMs }) => beganAtMs > removal.event.atMs && start.index < (addition?.index ?? history.length));
  const added = settledSteps(history, 'add')[0];
  const late = callFor(history, STEADY, SERVER);
  const alive = counted?.event.alive ?? [];
  return first(
    after === undefined ? undefined : fail('a process was started after the removal', [removal.index, after.start.index]),
    doubt([counted !== undefined, 'a look at the processes after the removal']),
    alive.length === 0 ? undefined : fail(`the removal settled, and ${alive.length} of ${counted?.event.started.length ?? 0} processes of the server still lived`, [removed.index]),
    waitedInVain(history),
    toolsGone(history, SERVER, addition?.index ?? history.length),
    doubt([addition !== undefined && added !== undefined, 'the same server, added again']),
    added?.event.servers[0]?.status === 'ready' ? undefined : fail(`the name is not free after the removal: ${added?.event.servers[0]?.message ?? ''}`, added === undefined ? [] : [added.index]),
    doubt([late !== undefined && late.call.index > (added?.index ?? 0), 'a call of the added one']),
    echoed(late) ? undefined : fail('the server that was added again cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass('the removal ended everything, nothing came after it, and the name was free');
}

/** The pending retry has to be pending, the attempt under way. */
function judgeWaiting(history: History): Judgement {
  const removalAtMs = requestsOf(history, 'remove')[0]?.event.atMs ?? 0;
  const pending = livesOf(history, SERVER).filter(({ beganAtMs }) => beganAtMs < removalAtMs).length === 1;
  return doubt([pending, 'a removal before the first attempt']) ?? judge(history);
}

function judgeUnderWay(history: History): Judgement {
  const removal = requestsOf(history, 'remove')[0]?.index ?? 0;
  const held = holds(history, HOLD, 'held').some(({ index }) => index < removal);
  return doubt([held, 'an attempt under way when it was removed']) ?? judge(history);
}

const base = { invariant: 'CONNECTION-019', options: ['reconnect'] } as const;

/** Checks of disposals in an outage. */
export const disposalChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-019/retry-pending', exercise: exerciseWaiting, judge: judgeWaiting }),
  scripted({ ...base, id: 'CONNECTION-019/connecting', exercise: exerciseUnderWay('initialize'), judge: judgeUnderWay }),
  scripted({ ...base, id: 'CONNECTION-019/listing', exercise: exerciseUnderWay('tools/list'), judge: judgeUnderWay }),
];
