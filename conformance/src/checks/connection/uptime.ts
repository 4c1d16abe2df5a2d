/** What uptime does to the budget of an outage (CONNECTION-012). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, echoed, first, placesOf } from '../support/facts.ts';
import { ANSWER, script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { GONE } from './budget.ts';
import { servedBy, toolsGone, untilAsked, waitedInVain } from './outage-facts.ts';
import { dueDelayMs, gapMs, policyOf, turnsOf, type Turn } from './schedule.ts';
import { AWAITED, inLife, lose, quiet, recovered, startedTimes } from './steps.ts';

const SERVER = 'moody';

/** Opens, loses the first process, waits until the budget is spent, and a little longer. */
async function untilSpent(bench: Bench, rules: readonly Rule[], reconnect: { readonly initialDelayMs: number; readonly maxDelayMs: number; readonly maxAttempts: number }): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [], rules), { reconnect });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(1 + reconnect.maxAttempts), { boundMs: 10_000 });
  await bench.registry(GONE, (tools) => tools.length === 0);
  await quiet(bench, server, reconnect.initialDelayMs * 2 ** reconnect.maxAttempts);
  await bench.look();
  await bench.close();
}

/** Each comes up, lists, and dies at once. */
const exerciseBrief = (bench: Bench): Promise<void> =>
  untilSpent(bench, [inLife({ from: 2 }, 'tools/list', [ANSWER, { delay: 5 }, { exit: 1 }])], { initialDelayMs: 30, maxDelayMs: 1_000, maxAttempts: 3 });

/** It needs longer than `maxDelayMs` for the handshake, and then dies as soon as it was listed. */
const exerciseSlowStart = (bench: Bench): Promise<void> =>
  untilSpent(bench, [
    inLife({ from: 2 }, 'initialize', [{ delay: 400 }, ANSWER]), inLife({ from: 2 }, 'tools/list', [ANSWER, { delay: 5 }, { exit: 1 }]),
  ], { initialDelayMs: 20, maxDelayMs: 300, maxAttempts: 1 });

/** It comes up and lives for most of `maxDelayMs`, but not for all of it. */
const exerciseNearly = (bench: Bench): Promise<void> =>
  untilSpent(bench, [inLife(2, 'tools/list', [ANSWER, { delay: 650 }, { exit: 1 }])], { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 1 });

/** The last attempt of an outage succeeds and lives on; then it is lost, and the next outage has all its attempts. */
async function exerciseLong(bench: Bench): Promise<void> {
  const reconnect = { initialDelayMs: 30, maxDelayMs: 100, maxAttempts: 2 };
  const rules = [inLife(2, 'initialize', [{ exit: 2 }]), inLife(3, 'tools/list', [ANSWER, { delay: 500 }, { exit: 1 }]), inLife(4, 'initialize', [{ exit: 2 }])];
  const server = await openOne(bench, SERVER, script(SERVER, [], rules), { reconnect });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(5), { boundMs: 6_000 });
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function close(turns: readonly Turn[]): Judgement | undefined {
  return turns.some(({ isClose }) => isClose) ? inconclusive('a connection was up for about maxDelayMs: on which side of it cannot be told') : undefined;
}

/** The judge of connections that die sooner. */
function judgeSpent(history: History): Judgement {
  const asked = untilAsked(history);
  const policy = policyOf(history, SERVER);
  const turns = turnsOf(history, SERVER, asked);
  const brief = turns.slice(1).filter(({ uptimeMs }) => uptimeMs !== undefined);
  if (brief.length === 0) return inconclusive('not in the history: a connection that came up and died');
  const early = turns.find((turn) => turn.attempt !== undefined && turn.next !== undefined && (gapMs(turn) ?? 0) < dueDelayMs(policy, turn.attempt));
  const over = turns.find(({ attempt, next }) => attempt === undefined && next !== undefined);
  return first(
    close(turns),
    over === undefined ? undefined : fail(`a connection that lived ${Math.round(over.uptimeMs ?? 0)} ms of ${policy.maxDelayMs} gave the outage more than its ${policy.maxAttempts} attempts`, [over.life.lastSign.index, over.next?.start.index ?? 0]),
    early === undefined ? undefined : fail(`attempt ${early.attempt ?? 0} began after ${Math.round(gapMs(early) ?? 0)} ms: the delay did not go on growing over a connection that lived ${Math.round(early.uptimeMs ?? 0)} ms`, [early.life.lastSign.index, early.next?.start.index ?? 0]),
    turns.at(-1)?.attempt === undefined ? undefined : inconclusive('the budget was not spent'),
    waitedInVain(history),
    toolsGone(history, SERVER, asked),
  ) ?? pass(`${brief.length} brief connections were attempts of one outage`);
}

/** The judge of a connection that lives on. */
function judgeReset(history: History): Judgement {
  const turns = turnsOf(history, SERVER, untilAsked(history));
  const { maxDelayMs, maxAttempts } = policyOf(history, SERVER);
  const at = turns.findIndex(({ uptimeMs }, index) => index >= maxAttempts && uptimeMs !== undefined && uptimeMs >= maxDelayMs);
  const long = turns[at];
  if (long?.life.end === undefined) return inconclusive('not in the history: the last attempt of an outage that outlived maxDelayMs and was lost');
  if (long.isClose) return close([long]) ?? inconclusive('too close to tell');
  const after = turns.slice(at + 1);
  if (after.length < maxAttempts && barrierOf(history, AWAITED)?.event.reached !== false) return inconclusive('nobody waited for the attempts of the next outage');
  if (after.length < maxAttempts) return fail(`after a connection that lived ${Math.round(long.uptimeMs ?? 0)} ms the next outage had ${after.length} of ${maxAttempts} attempts`, [long.life.end.index]);
  const late = callFor(history, STEADY, SERVER);
  if (late === undefined || late.call.index < (after.at(-1)?.life.start.index ?? 0)) return inconclusive('not in the history: a call after the recovery');
  return echoed(late) && servedBy(late, turns.map(({ life }) => life)) === after.at(-1)?.life
    ? pass(`after ${Math.round(long.uptimeMs ?? 0)} ms of uptime the next outage had all its attempts`)
    : fail('the server did not come back in an outage that has attempts left', placesOf(late));
}

const base = { invariant: 'CONNECTION-012', options: ['reconnect'] } as const;

/** Checks of uptime. */
export const uptimeChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-012/dies-sooner', exercise: exerciseBrief, judge: judgeSpent }),
  scripted({ ...base, id: 'CONNECTION-012/slow-start', exercise: exerciseSlowStart, judge: judgeSpent }),
  scripted({
    ...base, id: 'CONNECTION-012/dies-a-little-sooner', exercise: exerciseNearly,
    judge(history): Judgement {
      const { maxDelayMs } = policyOf(history, SERVER);
      const nearly = turnsOf(history, SERVER, untilAsked(history)).some(({ uptimeMs }) => uptimeMs !== undefined && uptimeMs > maxDelayMs / 2 && uptimeMs < maxDelayMs);
      return nearly ? judgeSpent(history) : inconclusive('not in the history: a connection that lived for more than half of maxDelayMs, and less than all of it');
    },
  }),
  scripted({ ...base, id: 'CONNECTION-012/lives-on', exercise: exerciseLong, judge: judgeReset }),
];
