/** What a recovered connection brings (CONNECTION-014, CONNECTION-015). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, pairedCalls, registrySnapshots } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few } from '../identities.ts';
import { callEach, describes, freshWord, listing, markedTool, type Known } from '../tool-lists.ts';
import { judgeWhole } from '../whole-lists.ts';
import { doubt, first, placesOf, echoed } from '../support/facts.ts';
import { listedAt, livesOf } from './lives.ts';
import { servedBy, untilAsked } from './outage-facts.ts';
import { AWAITED, lose, recovered, startedTimes } from './steps.ts';

const SERVER = 'returning';
/** Registered after it: what moves shows in its place. */
const OTHER = 'bystander';
const QUICK = { initialDelayMs: 20, maxDelayMs: 40 } as const;
const SHOWN = 'the list of the recovered server is shown';
const BEFORE = ['gone', 'kept', 'dotted.kept'] as const;
const AFTER = ['kept', 'fresh', 'dotted.kept'] as const;

const known: readonly Known[] = [{ server: SERVER, rawNames: [...BEFORE, ...AFTER] }, { server: OTHER, rawNames: ['one', 'two'] }];

/** Opens both, calls everything. */
async function openBoth(bench: Bench): Promise<BenchServer> {
  const options = bench.subject.options.includes('reconnect') ? { reconnect: QUICK } : {};
  const server = bench.serve(SERVER, listing(SERVER, BEFORE), { options });
  const other = bench.serve(OTHER, listing(OTHER, ['one', 'two']));
  await bench.open(bench.subject.servers === 'one' ? [server] : [server, other]);
  await callEach(bench, (await bench.look()).tools, known);
  return server;
}

/** Waits for the next process, within what the subject declares. */
async function nextProcess(bench: Bench, server: BenchServer): Promise<void> {
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: bench.subject.bounds.reconnectMs + SLACK_MS });
}

async function exerciseChanged(bench: Bench): Promise<void> {
  const server = await openBoth(bench);
  const word = freshWord();
  await server.program({ scenario: 1, tools: AFTER.map((name) => markedTool(SERVER, name, name === 'fresh' ? word : '')) });
  await lose(bench, server);
  await nextProcess(bench, server);
  await bench.registry(SHOWN, describes(word));
  await recovered(bench, server);
  await callEach(bench, (await bench.look()).tools, known);
}

function judgeReplaced(history: History): Judgement {
  // An attempt may fail by itself; what the next one brings counts.
  const [lost, ...since] = livesOf(history, SERVER);
  const [back] = since;
  if (lost?.end === undefined) return inconclusive('not in the history: the end of the first process');
  if (back === undefined) {
    return barrierOf(history, AWAITED)?.event.reached === false
      ? fail('no process was started after the loss, within the declared time', [lost.end.index])
      : inconclusive('nobody waited for the next process');
  }
  const doubled = registrySnapshots(history).find(({ event }) => new Set(event.tools.map(({ name }) => name)).size < event.tools.length);
  if (doubled !== undefined) return fail('a public name is registered twice', [doubled.index]);
  // A tool of the old list is still offered and cannot be paired by what it reached: nothing answers it any more.
  const stray = pairedCalls(history).find(({ call, outcome }) => call.index > back.start.index && call.event.rawName === 'gone' && outcome !== undefined);
  if (stray !== undefined && barrierOf(history, SHOWN)?.event.reached === true) return fail('a tool of the old list is still offered after the recovery', placesOf(stray));
  const whole = judgeWhole(history, SERVER, back.start.index, SHOWN);
  if (whole.verdict !== 'pass') return whole;
  const elsewhere = pairedCalls(history).find((call) => call.call.index > back.start.index && call.call.event.server === SERVER && since.every((life) => servedBy(call, [lost, ...since]) !== life));
  return elsewhere === undefined ? pass(`${whole.message}, each reached in the new process`) : fail('a call after the recovery did not reach the new process', placesOf(elsewhere));
}

async function exerciseUnchanged(bench: Bench): Promise<void> {
  const server = await openBoth(bench);
  await bench.look();
  await lose(bench, server);
  await nextProcess(bench, server);
  await recovered(bench, server);
  await callEach(bench, (await bench.look()).tools, known);
  await bench.look();
  await bench.close();
}

function judgeUntouched(history: History): Judgement {
  const end = untilAsked(history);
  const [lost, ...since] = livesOf(history, SERVER);
  const back = since.find((life) => listedAt(history, SERVER, life) !== undefined);
  const listed = back === undefined ? undefined : listedAt(history, SERVER, back);
  const snapshots = registrySnapshots(history).filter(({ index, event }) => index < end && (event.cause === 'looked' || index > (lost?.end?.index ?? end)));
  const before = snapshots.findLast(({ index }) => index < (lost?.end?.index ?? 0));
  const doubted = doubt(
    [lost?.end !== undefined && listed !== undefined, 'a server that was lost and listed the same again'], [before !== undefined && before.event.tools.length > 2, 'a look at the registry before the loss'],
    [(snapshots.at(-1)?.index ?? 0) > (listed?.index ?? end), 'a look after the recovery'],
  );
  if (doubted !== undefined || before === undefined || back === undefined) return doubted ?? inconclusive('nothing was looked at');
  const due = JSON.stringify(before.event.tools);
  const other = snapshots.find(({ index, event }) => index > before.index && JSON.stringify(event.tools) !== due);
  const told = snapshots.find(({ index, event }) => index > before.index && event.cause === 'told');
  const calls = pairedCalls(history).filter((call) => call.call.index > (listed?.index ?? end));
  const deaf = calls.find((call) => !echoed(call));
  return first(
    other === undefined ? undefined : fail(`a recovery to the same list changed the registry: it held ${few(other.event.tools.map(({ name }) => name))}`, [before.index, other.index]),
    told === undefined ? undefined : fail('a recovery to the same list made the registry tell of a change', [told.index]),
    doubt([calls.some((call) => servedBy(call, [back]) === back), 'a call that reached the new process']),
    deaf === undefined ? undefined : fail('after the recovery a tool cannot be called', placesOf(deaf)),
  ) ?? pass(`${before.event.tools.length} definitions stayed as they were, each in its place, and reach the new process`);
}

/** Checks of recoveries. */
export const recoveryChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-014/changed-list', invariant: 'CONNECTION-014', limitMs: 60_000, exercise: exerciseChanged, judge: judgeReplaced }),
  scripted({ id: 'CONNECTION-015/unchanged-list', invariant: 'CONNECTION-015', options: ['reconnect'], exercise: exerciseUnchanged, judge: judgeUntouched }),
];
