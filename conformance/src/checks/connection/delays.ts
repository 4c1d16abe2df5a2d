/** When an attempt begins (CONNECTION-010), from the entry and the wire alone. */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { first } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { refusedToLeave, untilAsked } from './outage-facts.ts';
import { ATTEMPT_SLACK_MS, dueDelayMs, gapMs, policyOf, turnsOf, type Turn } from './schedule.ts';
import { AWAITED, graces, inLife, lose, startedTimes, stubborn } from './steps.ts';

const SERVER = 'punctual';

/** One attempt after the other fails, each in a way of its own; the last of them races its own end. */
export const FAILING: readonly Rule[] = [
  inLife(2, 'initialize', [{ exit: 2 }]),
  inLife(3, 'initialize', [{ error: { code: -32000, message: 'not yet' } }, { exit: 0 }]),
  inLife(4, 'tools/list', [{ error: { code: -32603, message: 'no list yet' } }]),
  inLife(5, 'tools/list', [{ reply: { result: { tools: [{ name: 'twice', inputSchema: { type: 'object' } }, { name: 'twice', inputSchema: { type: 'object' } }] } } }]),
];
const ATTEMPTS = 4;

/** Says of each gap between two processes whether it is the due one. */
function judgeGaps(history: History, atLeast: number): Judgement {
  const policy = policyOf(history, SERVER);
  const turns = turnsOf(history, SERVER, untilAsked(history));
  if (turns.some(({ isClose }) => isClose)) return inconclusive('a connection was up for about maxDelayMs: which attempt was due cannot be told');
  const tried = turns.filter((turn): turn is Turn & { attempt: number } => turn.next !== undefined && turn.attempt !== undefined);
  for (const turn of tried) {
    const gap = gapMs(turn) ?? 0;
    const due = dueDelayMs(policy, turn.attempt);
    const places = [turn.life.lastSign.index, turn.next?.start.index ?? 0];
    if (gap < due) return fail(`attempt ${turn.attempt} began ${gap.toFixed(1)} ms after the end of the connection before it, due were ${due} ms`, places);
    if (gap > due + ATTEMPT_SLACK_MS) return fail(`attempt ${turn.attempt} began only ${Math.round(gap)} ms after the end of the connection before it, due were ${due} ms`, places);
  }
  const unserved = turns.at(-1);
  const isSilent = barrierOf(history, AWAITED)?.event.reached === false;
  if (isSilent && tried.length < atLeast && unserved?.life.end !== undefined && unserved.attempt !== undefined) {
    return fail(`attempt ${unserved.attempt} was due after the end of process ${turns.length}, and no process began`, [unserved.life.end.index]);
  }
  return tried.length < atLeast
    ? inconclusive(`only ${tried.length} attempts were made`)
    : pass(`${tried.length} attempts began when they were due: after ${tried.map((turn) => `${Math.round(gapMs(turn) ?? 0)} (${dueDelayMs(policy, turn.attempt)})`).join(', ')} ms`);
}

async function exerciseLoss(bench: Bench): Promise<void> {
  const reconnect = { initialDelayMs: 40, maxDelayMs: 100, maxAttempts: ATTEMPTS };
  const server = await openOne(bench, SERVER, script(SERVER, [], FAILING), { reconnect });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(1 + ATTEMPTS), { boundMs: 10_000 });
  await bench.close();
}

const DOUBLINGS = 6;

/** Nothing but the exponent decides: the longest delay of these attempts stays below `maxDelayMs`. */
async function exerciseDoubling(bench: Bench): Promise<void> {
  const reconnect = { initialDelayMs: 15, maxDelayMs: 1_000, maxAttempts: DOUBLINGS };
  const server = await openOne(bench, SERVER, script(SERVER, [], [inLife({ from: 2 }, 'initialize', [{ exit: 2 }])]), { reconnect });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(1 + DOUBLINGS), { boundMs: 10_000 });
  await bench.close();
}

async function exerciseFirstStart(bench: Bench): Promise<void> {
  const rules: Rule[] = [{ id: 'early', when: { spawn: true, incarnation: { to: 2 } }, do: [{ exit: 1 }] }];
  const server = await openOne(bench, SERVER, script(SERVER, [], rules, { countFrom: 'spawn' }), { reconnect: { initialDelayMs: 60, maxDelayMs: 1_000 } });
  await bench.wire(server, AWAITED, startedTimes(3));
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** Its first listing fails, and it will not leave; the delay counts from when it is gone. */
async function exerciseStubborn(bench: Bench): Promise<void> {
  const rules = [
    stubborn(1),
    inLife(1, 'tools/list', [{ error: { code: -32603, message: 'no list today' } }]),
  ];
  const options = { reconnect: { initialDelayMs: 250, maxDelayMs: 5_000 }, ...graces(bench, 60) };
  const server = await openOne(bench, SERVER, script(SERVER, [], rules, { countFrom: 'spawn' }), options);
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: 10_000 });
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

const base = { invariant: 'CONNECTION-010', options: ['reconnect'] } as const;

/** Checks of delays. */
export const delayChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-010/after-a-loss', exercise: exerciseLoss, judge: (history) => judgeGaps(history, ATTEMPTS) }),
  scripted({ ...base, id: 'CONNECTION-010/doubling', exercise: exerciseDoubling, judge: (history) => judgeGaps(history, DOUBLINGS) }),
  scripted({ ...base, id: 'CONNECTION-010/after-a-failed-start', exercise: exerciseFirstStart, judge: (history) => judgeGaps(history, 2) }),
  scripted({
    ...base, id: 'CONNECTION-010/stubborn', exercise: exerciseStubborn,
    judge(history): Judgement {
      const [turn] = turnsOf(history, SERVER);
      const stayed = turn !== undefined && refusedToLeave(history, SERVER, turn.life, 50);
      return first(stayed ? undefined : inconclusive('not in the history: a process that stayed after it was asked to leave')) ?? judgeGaps(history, 1);
    },
  }),
];
