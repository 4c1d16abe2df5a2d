/** What holds when an entry says nothing of reconnection (CONFIG-014). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { ATTEMPT_SLACK_MS, DEFAULT_POLICY, gapMs, turnsOf } from '../connection/schedule.ts';
import { AWAITED, lose, startedTimes } from '../connection/steps.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'plain';

async function exercise(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, []));
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: DEFAULT_POLICY.initialDelayMs + 2 * ATTEMPT_SLACK_MS });
  await bench.close();
}

function judge(history: History): Judgement {
  const [turn] = turnsOf(history, SERVER);
  if (turn?.life.end === undefined) return inconclusive('not in the history: a loss');
  const gap = gapMs(turn);
  const due = DEFAULT_POLICY.initialDelayMs;
  if (gap === undefined) {
    return barrierOf(history, AWAITED)?.event.reached === false
      ? fail('an entry that says nothing of reconnection was not reconnected', [turn.life.end.index])
      : inconclusive('nobody waited for an attempt');
  }
  return gap < due || gap > due + ATTEMPT_SLACK_MS
    ? fail(`the first attempt began ${Math.round(gap)} ms after the loss, the default delay is ${due} ms`, [turn.life.end.index, turn.next?.start.index ?? 0])
    : pass(`the first attempt began ${Math.round(gap)} ms after the loss`);
}

/** Checks of defaults. */
export const defaultChecks: readonly Check[] = [scripted({ id: 'CONFIG-014/reconnect', invariant: 'CONFIG-014', options: ['reconnect'], exercise, judge })];
