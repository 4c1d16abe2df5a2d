/** Starts that take too long (CONNECTION-020). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { answerTo, eventsOf, received, settledSteps, subjectOf, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, startMessages } from '../support/facts.ts';
import { ANSWER, onMethod, script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { livesOf } from './lives.ts';

/** Slow, within its limit. */
const PATIENT = 'patient';
const LIMIT_MS = 300;
const PAGES = 40;
/** Timers count whole milliseconds on a clock of their own, so that one may end a little sooner on the clock of histories. */
const TIMER_STEP_MS = 2;

/** What is too slow, by the name of the server: its script and the one limit that ends it. */
const SLOW: Readonly<Record<string, { readonly limit: string; readonly rules: readonly Rule[] }>> = {
  'no-handshake': { limit: 'connectTimeoutMs', rules: [onMethod('initialize', [{ drop: true }])] },
  'no-list': { limit: 'discoveryTimeoutMs', rules: [onMethod('tools/list', [{ drop: true }])] },
  // Each page comes within its own limit; the whole list does not.
  'slow-pages': {
    limit: 'syncTimeoutMs',
    rules: [onMethod('tools/list', [{ delay: 60 }, ANSWER])],
  },
};

async function exercise(bench: Bench): Promise<void> {
  if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
  const off = bench.subject.options.includes('reconnect') ? { reconnect: { enabled: false } } : {};
  const slow = Object.entries(SLOW).map(([name, { limit, rules }]) => {
    const tools = Array.from({ length: PAGES }, (_, at) => ({ name: `tool-${at}` }));
    return bench.serve(name, script(name, tools, rules, { pagination: { pageSize: 1 } }), { options: { [limit]: LIMIT_MS, ...off } });
  });
  const patient = bench.serve(PATIENT, script(PATIENT, [], [onMethod('initialize', [{ delay: LIMIT_MS + 100 }, ANSWER])]), { options: { connectTimeoutMs: 8_000 } });
  await bench.open([...slow, patient]);
  // Who lists first at a look asks the slow ones only now.
  await bench.look();
  await ask(bench, PATIENT, STEADY);
  await bench.close();
}

/** When the subject gave a server up: it closed its input, or ended it. */
function givenUpAtMs(history: History, server: string): number | undefined {
  return wireRecords(history, 'process', server).find(({ event }) => event.event === 'input-end' || event.event === 'exit')?.event.atMs;
}

/**
 * Before the limit of a server began, and not long before: the end of its handshake, or the request to open it. A subject
 * begins to count later than that, so what is too short by this is too short.
 */
function beforeLimitMs(history: History, server: string, askedAtMs: number): number {
  const [request] = received(history, server, 'initialize');
  return (request === undefined ? undefined : answerTo(history, request)?.event.atMs) ?? askedAtMs;
}

function judge(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const asked = eventsOf(history, 'request').find(({ event }) => event.step === 'open');
  if (asked === undefined) return inconclusive('nothing was opened');
  const stuck = Object.keys(SLOW).filter((name) => received(history, name, 'initialize').length > 0);
  if (stuck.length < Object.keys(SLOW).length) return inconclusive('not in the history: a start of each slow server');
  if (settled === undefined) return fail('opening never settled because of servers that are too slow', [asked.index]);
  let judged = 0;
  for (const name of stuck) {
    const reply = settled.event.servers.find((one) => one.name === name);
    const [life] = livesOf(history, name);
    const endMs = givenUpAtMs(history, name);
    const limit = SLOW[name]?.limit ?? '';
    const isAtLook = reply?.status === 'ready' && subjectOf(history)?.registry === 'pull';
    // A listing for a look is none of a start: its connection may be kept.
    if (isAtLook && endMs === undefined) continue;
    judged += 1;
    if (reply === undefined || (reply.status === 'ready' && !isAtLook)) return fail(`"${name}" is said to be ${reply?.status ?? 'nothing'} although ${limit} was over`, [settled.index]);
    if (endMs === undefined || life === undefined) return fail(`"${name}" was never given up, its process was left alone`, [settled.index]);
    const [mostMs, leastMs] = [endMs - beforeLimitMs(history, name, asked.event.atMs), endMs - life.start.event.atMs];
    if (leastMs > LIMIT_MS + SLACK_MS) return fail(`"${name}" was given up after ${Math.round(leastMs)} ms, ${limit} is ${LIMIT_MS}`, [settled.index]);
    if (mostMs < LIMIT_MS - TIMER_STEP_MS) return fail(`"${name}" was given up after ${Math.round(mostMs)} ms at most, ${limit} is ${LIMIT_MS}`, [settled.index]);
    if (!new RegExp(String.raw`${limit}|(?<!\d)${LIMIT_MS}(?!\d)|(?<!\d)0[.,]3\d*\s*s`).test(startMessages(history, name))) return fail(`nothing about "${name}" says that a limit of ${LIMIT_MS} ms was over`, [settled.index]);
  }
  const late = callFor(history, STEADY, PATIENT);
  return first(
    doubt([judged > 0, 'a start that was too slow'], [late !== undefined, 'a call of the slow server whose limit is longer']),
    echoed(late) ? undefined : fail('a server within its limit cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass(`${judged} starts were given up at their limits, a slow one within its limit was not`);
}

/** Checks of limits at the start. */
export const limitChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-020/slow-starts', invariant: 'CONNECTION-020', options: ['connectTimeoutMs', 'discoveryTimeoutMs', 'syncTimeoutMs'], exercise, judge }),
];
