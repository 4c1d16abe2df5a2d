/** What a person reads of an outage (CONNECTION-018): levels and facts, never wording. */
import { mark, type Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, first } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { GONE } from './budget.ts';
import { listedAt, livesOf } from './lives.ts';
import { linesAbout, untilAsked } from './outage-facts.ts';
import { dueDelayMs, policyOf, turnsOf, type Turn } from './schedule.ts';
import { AWAITED, inLife, lose, recovered, startedTimes } from './steps.ts';

const SERVER = 'talkative';
/** Reconnection is off for it. */
const OFF = 'resigned';
/** Every end has the same exit code, so that only what the subject makes of it differs. */
const EXIT_CODE = 9;
/** Takes longer than the uptime that ends an outage. */
const SLOW = 'slow';
/** Delays that stand for nothing else in a line. */
const RECONNECT = { initialDelayMs: 37, maxDelayMs: 74, maxAttempts: 2 } as const;

/** A loss, a failed attempt, a recovery; then a loss after which every attempt fails. */
async function exercise(bench: Bench): Promise<void> {
  if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
  const fails = inLife({ from: 4 }, 'initialize', [{ exit: EXIT_CODE }]);
  const slow = onCall(SLOW, [{ delay: 3 * RECONNECT.maxDelayMs }, ANSWER]);
  const server = bench.serve(SERVER, script(SERVER, [tool(SERVER, SLOW)], [inLife(2, 'initialize', [{ exit: EXIT_CODE }]), fails, slow]), { options: { reconnect: RECONNECT } });
  const off = bench.serve(OFF, script(OFF, []), { options: { reconnect: { enabled: false } } });
  await bench.open([server, off]);
  await ask(bench, OFF, STEADY);
  await lose(bench, off, EXIT_CODE);
  await ask(bench, SERVER, STEADY);
  await lose(bench, server, EXIT_CODE);
  await bench.wire(server, AWAITED, startedTimes(3));
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await ask(bench, SERVER, SLOW);
  await lose(bench, server, EXIT_CODE);
  await bench.wire(server, AWAITED, startedTimes(5), { boundMs: 10_000 });
  await bench.registry(GONE, (tools) => tools.every(({ description }) => !description.includes(mark(SERVER, STEADY))));
  await bench.close();
}

/** Whether a line holds this number, by itself. */
function holds(text: string, number: number): boolean {
  return new RegExp(`(?<![\\d.])${number}(?![\\d])`).test(text);
}

/** A warning between the end of one connection and the attempt after it, with its number and its delay. */
function judgeWarning(history: History, turn: Turn): Judgement | undefined {
  const { attempt, next, life } = turn;
  if (attempt === undefined || next === undefined) return undefined;
  const delay = dueDelayMs(policyOf(history, SERVER), attempt);
  const warned = linesAbout(history, SERVER, 'warn').filter(({ index }) => index > life.start.index && index < next.start.index);
  return warned.some(({ event }) => holds(event.message, attempt) && holds(event.message, delay))
    ? undefined
    : fail(`no warning before attempt ${attempt} says its number and its delay of ${delay} ms`, [life.lastSign.index, next.start.index]);
}

/** Lines between an end and the next attempt, without their numbers. */
function gist(history: History, { life, next }: Turn): string {
  return linesAbout(history, SERVER).filter(({ event, index }) => event.level !== 'debug' && index > life.lastSign.index && index < (next?.start.index ?? 0))
    .map(({ event }) => `${event.level} ${event.message.replace(/\d+/g, '#')}`).join('\n');
}

function judge(history: History): Judgement {
  const asked = untilAsked(history);
  const turns = turnsOf(history, SERVER, asked);
  const off = livesOf(history, OFF)[0];
  const tried = turns.filter(({ next, attempt }) => next !== undefined && attempt !== undefined);
  const [loss, failed] = tried;
  const back = turns.find(({ life }, at) => at > 0 && listedAt(history, SERVER, life) !== undefined)?.life;
  const last = turns.at(-1);
  const doubted = doubt([off?.end !== undefined, 'a loss with reconnection off'], [tried.length >= 3, 'three attempts'], [back !== undefined, 'a recovery'], [last?.attempt === undefined && last?.life.end !== undefined, 'a budget that was spent']);
  if (doubted !== undefined || off === undefined || loss === undefined || failed === undefined || back === undefined || last === undefined) return doubted ?? inconclusive('nothing was lost');
  const listed = listedAt(history, SERVER, back)?.index ?? 0;
  const [disabled, recoveredAt, givenUp] = [
    linesAbout(history, OFF, 'error').find(({ index }) => index > off.lastSign.index && index < asked),
    linesAbout(history, SERVER, 'info').find(({ index }) => index > listed && index < back.lastSign.index),
    linesAbout(history, SERVER, 'error').find(({ index }) => index > last.life.lastSign.index && index < asked),
  ];
  return first(
    ...tried.map((turn) => judgeWarning(history, turn)),
    gist(history, loss) === gist(history, failed) ? fail('an attempt that never connected reads like an established connection lost', [loss.life.lastSign.index, failed.life.lastSign.index]) : undefined,
    recoveredAt === undefined ? fail('nothing at info says that the server recovered', [listed]) : undefined,
    givenUp === undefined ? fail('no error says that the server was given up', [last.life.lastSign.index]) : undefined,
    disabled === undefined ? fail('no error says that a connection was lost for good, with reconnection off', [off.lastSign.index]) : undefined,
  ) ?? pass(`${tried.length} attempts, a recovery, a giving up and a loss for good were told at their levels`);
}

/** Checks of what is told. */
export const tellingChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-018/levels-and-facts', invariant: 'CONNECTION-018', options: ['reconnect'], exercise, judge }),
];
