/** When the first turn of a host can begin (HOST-001), and how many servers one host takes (HOST-002). */
import type { Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { lastRegistry, registrySnapshots, settledSteps, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { listedAt, livesOf } from '../connection/lives.ts';
import { publicNamesOf, servedBy, untilAsked } from '../connection/outage-facts.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onMethod, ownScript, script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const SLOW = 'unhurried';

async function exerciseSlow(bench: Bench): Promise<void> {
  const server = bench.serve(SLOW, script(SLOW, [], [onMethod('initialize', [{ delay: 250 }, ANSWER]), onMethod('tools/list', [{ delay: 150 }, ANSWER])]));
  await bench.open([server]);
  await bench.look();
  await ask(bench, SLOW, STEADY);
  await bench.close();
}

function judgeSlow(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const [life] = livesOf(history, SLOW);
  const listed = life === undefined ? undefined : listedAt(history, SLOW, life);
  const names = publicNamesOf(history, SLOW);
  const doubted = doubt([settled !== undefined, 'an opening that settled'], [listed !== undefined, 'a listing'], [names.size > 0, 'a call of a tool']);
  if (doubted !== undefined || settled === undefined || listed === undefined) return doubted ?? inconclusive('nothing was opened');
  // The first turn sees what there is when the opening has settled.
  const turn = registrySnapshots(history).find(({ index, event }) => index > settled.index && event.cause === 'looked');
  // A bridge that lists afresh at each look may list for the first time at the one that asks.
  const listsAtLooks = subjectOf(history)?.registry === 'pull';
  return first(
    listsAtLooks || listed.index < settled.index ? undefined : fail('the opening settled before the server had listed its tools', [settled.index, listed.index]),
    doubt([turn !== undefined, 'a look after the opening']),
    turn?.event.tools.some(({ name }) => names.has(name)) === true ? undefined : fail('the tools were not registered when the opening had settled', [settled.index, turn?.index ?? settled.index]),
  ) ?? pass('the opening settled with the tools registered');
}

const SERVERS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** The raw name of a server's one tool; no two servers share one, since a bridge may offer raw names. */
const whose = (server: string): string => `tool_of_${server}`;

async function exerciseMany(bench: Bench): Promise<void> {
  if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
  const servers = SERVERS.map((name) => bench.serve(name, ownScript(name, [whose(name)])));
  await bench.open(servers);
  for (const name of SERVERS) await ask(bench, name, whose(name));
  await bench.look();
  await bench.close();
}

function judgeMany(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  if (settled === undefined) return inconclusive('nothing was opened');
  const processes = new Set<number>();
  for (const name of SERVERS) {
    const reply = settled.event.servers.find((one) => one.name === name);
    if (reply?.status !== 'ready') return fail(`"${name}", one of ${SERVERS.length}, is ${reply?.status ?? 'not answered for'}: ${reply?.message ?? ''}`, [settled.index]);
    const call = callFor(history, whose(name), name);
    if (call === undefined) return uncalled(history, name, whose(name)) ?? inconclusive(`"${name}" was not called`);
    const life = servedBy(call, livesOf(history, name));
    if (!echoed(call) || life === undefined) return fail(`the tool of "${name}", one of ${SERVERS.length}, cannot be called`, placesOf(call));
    processes.add(life.pid);
  }
  const offered = lastRegistry(history, untilAsked(history))?.event.tools ?? [];
  if (processes.size < SERVERS.length) return fail(`${SERVERS.length} servers share ${processes.size} processes`, [settled.index]);
  return offered.length >= SERVERS.length ? pass(`${SERVERS.length} servers live side by side`) : inconclusive('nobody looked at the registry');
}

/** Checks of activation. */
export const activationChecks: readonly Check[] = [
  scripted({ id: 'HOST-001/slow-server', invariant: 'HOST-001', exercise: exerciseSlow, judge: judgeSlow }),
  scripted({ id: 'HOST-002/side-by-side', invariant: 'HOST-002', exercise: exerciseMany, judge: judgeMany }),
];
