/**
 * How a process is brought to its end: it may leave by itself, then it is asked to, and only then it is killed.
 */
import { wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { livesOf } from '../connection/lives.ts';
import { requestsOf } from '../connection/outage-facts.ts';
import { callFor, doubt, echoed } from '../support/facts.ts';
import { graces } from '../support/graces.ts';
import { onSpawn, script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'orderly';
/** What it has to finish before it leaves, in milliseconds: a file to be written, a lock to be given back. */
const FAREWELL_MS = 50;
/** Nobody has waited a reasonable time for a process who ended it sooner than this after being asked to close, in milliseconds. */
const NO_TIME_MS = 200;
/** A process that lives on for so long would have seen the end of its input, in milliseconds, on any machine. */
const SEEN_MS = 1_000;

/** ISOLATION-004: its input ends first, and what leaves then needs no signal. */
export const leavesByItself = scripted({
  id: 'ISOLATION-004/orderly',
  invariant: 'ISOLATION-004',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [], [{ id: 'farewell', when: { inputEnd: true }, do: [{ delay: FAREWELL_MS }, { exit: 0 }] }]));
    await ask(bench, SERVER, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const life = livesOf(history, SERVER).at(-1);
    const closing = requestsOf(history, 'close')[0];
    const end = life?.end;
    const doubted = doubt(
      [echoed(callFor(history, STEADY, SERVER)), 'a healthy call'], [closing !== undefined, 'the request to close'],
      [end !== undefined && end.index > (closing?.index ?? 0), 'the end of the process after it'],
    );
    if (doubted !== undefined || life === undefined || closing === undefined || end === undefined) return doubted ?? inconclusive('nothing was opened');
    const input = wireRecords(history, 'process', SERVER).find(({ event }) => event.pid === life.pid && event.event === 'input-end');
    // Who is ended by a signal cannot tell so itself.
    if (end.event.code !== undefined) return input === undefined ? inconclusive('the process left, and its input had not ended') : pass('the process left by itself when its input ended');
    const tookMs = end.event.atMs - closing.event.atMs;
    const places = [closing.index, ...(input === undefined ? [] : [input.index]), end.index];
    if (tookMs < NO_TIME_MS) return fail(`the process was ended ${Math.round(tookMs)} ms after the subject was asked to close, and had no time to leave by itself`, places);
    if (input === undefined && tookMs >= SEEN_MS) return fail('the process was ended by a signal, and its input never ended', places);
    return inconclusive(`the process did not leave by itself within ${Math.round(tookMs)} ms`, places);
  },
});

const STUBBORN = 'stubborn';
/** Long enough for a process to hear of SIGTERM on a busy machine, in milliseconds. */
const GRACE_MS = 500;

/** ISOLATION-005: what stays after its input ended is asked before it is killed. */
export const isAskedBeforeItIsKilled = scripted({
  id: 'ISOLATION-005/stubborn',
  invariant: 'ISOLATION-005',
  limitMs: 60_000,
  async exercise(bench) {
    await openOne(bench, STUBBORN, script(STUBBORN, [], [onSpawn([{ ignoreTerm: true }])]), graces(bench, GRACE_MS));
    await ask(bench, STUBBORN, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const life = livesOf(history, STUBBORN).at(-1);
    const closing = requestsOf(history, 'close')[0];
    const end = life?.end;
    const doubted = doubt(
      [echoed(callFor(history, STEADY, STUBBORN)), 'a healthy call'], [closing !== undefined, 'the request to close'],
      [end !== undefined && end.event.code === undefined && end.index > (closing?.index ?? 0), 'the end of the process by a signal after it'],
    );
    if (doubted !== undefined || life === undefined || closing === undefined || end === undefined) return doubted ?? inconclusive('nothing was opened');
    const asked = wireRecords(history, 'process', STUBBORN).find(({ event }) => event.pid === life.pid && event.event === 'note' && event.signal === 'SIGTERM');
    if (asked !== undefined) return pass('the process was sent SIGTERM before it was killed');
    return fail('the process, which stays when its input ends, was killed and never sent SIGTERM', [closing.index, end.index]);
  },
});
