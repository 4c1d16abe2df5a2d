/** Why an established connection was lost (CONNECTION-044), and what of it nobody may read (CONNECTION-003). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { LOOK_EVERY_MS, SLACK_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, faultsFired, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { allReadable, callsFor, doubt, echoed, first, uncalled } from '../support/facts.ts';
import { canary, script, STEADY } from '../support/scripts.ts';
import { ask, ended, tellState } from '../support/steps.ts';
import { linesAbout } from './outage-facts.ts';

const SERVER = 'confiding';
const DIES = 'dies';
const LAST_WORDS = 'the weather vane came off in the gale';
const SECRET = canary('Later');
/** An exit code that occurs nowhere else in a message. */
const EXIT_CODE = 73;
/** Reached when the last words can be read in a log or in the state. */
const SAID = 'the last words of the server can be read';
/** Longer than the exercise, where the subject can be told: what is said of the loss stands until then. */
const RECONNECT = { initialDelayMs: 20_000, maxDelayMs: 20_000 } as const;

/** What may stand for SIGKILL: its name, its number, or what a shell makes of it. */
const KILLED = /kill|(?<!\d)9(?!\d)|(?<!\d)137(?!\d)/i;
const EXITED = new RegExp(`(?<!\\d)${EXIT_CODE}(?!\\d)`);

/** It works, says its last words with a secret in them, and ends. */
function exercise(end: Action): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const { options, bounds } = bench.subject;
    const rule = { id: DIES, when: { signal: 'die' }, do: [{ stderr: { text: `cannot log in with ${SECRET}\n${LAST_WORDS}\n` } }, end] };
    const server = bench.serve(SERVER, script(SERVER, [], [rule]), {
      env: { MCPBC_LOGIN_TOKEN: SECRET }, ...(options.includes('reconnect') ? { options: { reconnect: RECONNECT } } : {}),
    });
    await bench.open([server]);
    await ask(bench, SERVER, STEADY);
    const since = server.fixture.records.length;
    await server.fixture.signal('die');
    await bench.wire(server, 'it ended', ended, { since });
    // Who finds it out by a call does so now.
    await ask(bench, SERVER, STEADY, { boundMs: 2_000 });
    const boundMs = bounds.settleMs + SLACK_MS;
    const deadlineMs = nowMs() + boundMs;
    let reached = false;
    while (!reached && nowMs() < deadlineMs) {
      await tellState(bench, 'it was lost');
      reached = told(bench.history).includes(LAST_WORDS);
      if (!reached) await wait(LOOK_EVERY_MS);
    }
    bench.record({ atMs: nowMs(), kind: 'barrier', what: SAID, reached, boundMs });
    await bench.close();
  };
}

/** What logs and states say of the server from its last words on. */
function told(history: History): string {
  const lost = faultsFired(history, SERVER, DIES)[0]?.index ?? history.length;
  const states = eventsOf(history, 'state').filter(({ index }) => index > lost).flatMap(({ event }) => event.servers.filter(({ name }) => name === SERVER).map(({ lastError }) => lastError ?? ''));
  return [...linesAbout(history, SERVER).filter(({ index }) => index > lost).map(({ event }) => event.message), ...states].join('\n');
}

/** Doubt unless an established connection ended with words that hold the secret. */
function unlost(history: History): Judgement | undefined {
  const [healthy] = callsFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const spoke = faultsFired(history, SERVER, DIES).find(({ event }) => event.action === 'stderr');
  return doubt([echoed(healthy), 'a healthy call before the loss'], [spoke !== undefined, 'a server that spoke and ended'], [eventsOf(history, 'state').length > 0, 'a look at the state']);
}

function judgeWhy(how: RegExp): (history: History) => Judgement {
  return (history) => {
    const said = barrierOf(history, SAID);
    const doubted = unlost(history) ?? doubt([said !== undefined, 'a wait for what is said'], [wireRecords(history, 'process', SERVER).length > 0, 'a process']);
    if (doubted !== undefined || said === undefined) return doubted ?? inconclusive('nobody waited');
    const text = told(history);
    return first(
      text.includes(LAST_WORDS) ? undefined : fail(`an established connection was lost, and the last words of the server cannot be read: ${text}`, [said.index]),
      how.test(text) ? undefined : fail(`an established connection was lost, and its exit code or signal cannot be read: ${text}`, [said.index]),
    ) ?? pass('the loss is told with how the server ended and its last words');
  };
}

function judgeKept(history: History): Judgement {
  const leak = allReadable(history).find(({ text }) => text.includes(SECRET.slice(0, 64)));
  return leak === undefined ? unlost(history) ?? pass('the secret occurs nowhere') : fail('a configured secret stands in what a person reads', [leak.index]);
}

const exit = exercise({ exit: EXIT_CODE });

/** Checks of what is said of a loss. */
export const whyLostChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-044/exit-code', invariant: 'CONNECTION-044', exercise: exit, judge: judgeWhy(EXITED) }),
  scripted({ id: 'CONNECTION-044/signal', invariant: 'CONNECTION-044', exercise: exercise({ kill: 'SIGKILL' }), judge: judgeWhy(KILLED) }),
  scripted({ id: 'CONNECTION-003/lost-later', invariant: 'CONNECTION-003', exercise: exit, judge: judgeKept }),
];
