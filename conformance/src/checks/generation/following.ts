/** The registry follows the list (GENERATION-001, GENERATION-002, GENERATION-003). */
import { mark, type Bench, type BenchServer } from '../../bench/bench.ts';
import type { OfferedTool } from '../../adapter/messages.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, ownEventsFrom, pairedCalls, registrySnapshots, sent } from '../../history/views.ts';
import { changeKindsOf, changeMinimums, listChange, type ListChange, type Versioned } from '../arbitraries/list-changes.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement, type PropertyCheck } from '../check.ts';
import { identityOf, reachedBy } from '../identities.ts';
import { perBench } from '../per-bench.ts';
import { listsUnasked } from '../unasked.ts';
import { needListChanges } from '../resync.ts';
import { announce, callEach, describes, freshWord, listing, markedTool, type WrittenTool } from '../tool-lists.ts';
import { judgeWhole, latestListing } from '../whole-lists.ts';
import { held, listingAnswered } from '../wire-waits.ts';

const SERVER = 'ledger';
const FIRST_SHOWN = 'the first list is shown';
const SHOWN = 'the second list is shown';
const RUNS = 8;
const LAST = 'closing';

const benches = perBench<BenchServer>();

function versioned({ name, version }: Versioned): WrittenTool {
  return { ...markedTool(SERVER, name, `version ${version}`), inputSchema: { type: 'object', title: `v${version}`, properties: { a: {}, [`only_in_${version}`]: { type: 'string' } } } };
}

/** Shows one list, closed by a tool that says which it is, and calls everything. */
async function show(bench: Bench, list: readonly Versioned[], word: string, what: string): Promise<void> {
  const server = benches.get(bench);
  const since = server.fixture.records.length;
  await bench.change(server, { scenario: 1, tools: [...list.map(versioned), markedTool(SERVER, LAST, word)] }, what, describes(mark(SERVER, LAST), word));
  await bench.wire(server, `${what} on the wire`, listingAnswered(1), { since });
  await callEach(bench, (await bench.look()).tools, [{ server: SERVER, rawNames: [...list.map(({ name }) => name), LAST] }]);
}

const changes: Omit<PropertyCheck<ListChange>, 'kind' | 'id' | 'invariant' | 'judge'> = {
  arbitrary: listChange,
  runs: RUNS,
  labels: changeKindsOf,
  minimums: changeMinimums(RUNS),
  async prepare(bench) {
    const server = bench.serve(SERVER, listing(SERVER, ['before']));
    benches.set(bench, server);
    await bench.open([server]);
  },
  async exercise(bench, { before, after }) {
    await show(bench, before, freshWord(), FIRST_SHOWN);
    await show(bench, after, freshWord(), SHOWN);
  },
};

/** The judge of GENERATION-001. */
export function judgeFollowed(history: History): Judgement {
  const programs = eventsOf(history, 'program').filter(({ index, event }) => event.server === SERVER && index >= ownEventsFrom(history));
  const second = programs.at(-1);
  if (second === undefined || programs.length < 2) return inconclusive('the list did not change');
  if (latestListing(history, SERVER, second.index) !== undefined) return judgeWhole(history, SERVER, second.index, SHOWN);
  const announced = sent(history, SERVER, 'notifications/tools/list_changed').some(({ index }) => index > second.index);
  if (announced) return fail('the change was announced, and the list was not asked for again', [second.index]);
  const unasked = listsUnasked(history, SERVER);
  const waited = eventsOf(history, 'barrier').some(({ index, event }) => index > second.index && event.what === SHOWN && !event.reached);
  const alive = pairedCalls(history).some(({ requests }) => (requests[0]?.index ?? -1) > second.index);
  return unasked !== undefined && unasked.program === second.index && waited && alive
    ? fail('the subject declares registry: pull, and did not ask for the list when it was looked at; who answers "tools" from a list that it keeps declares push', [second.index, unasked.look])
    : inconclusive('the new list was never asked for');
}

/** The judge of GENERATION-002. */
export function judgeUnchanged(history: History): Judgement {
  const reached = reachedBy(history);
  const seen = new Map<string, { readonly tool: OfferedTool; readonly index: number }>();
  let compared = 0;
  // Before its first list is shown, a run may still see what the run before it listed.
  const from = barrierOf(history, FIRST_SHOWN)?.index ?? ownEventsFrom(history);
  for (const { index, event } of registrySnapshots(history)) {
    if (index < from) continue;
    for (const tool of event.tools) {
      const one = identityOf(reached, tool.name);
      const version = /version \d/.exec(tool.description)?.[0] ?? /only_in_(\d)/.exec(JSON.stringify(tool.parameters))?.[0];
      if (one === undefined || version === undefined) continue;
      const earlier = seen.get(`${one} ${version}`);
      if (earlier === undefined) seen.set(`${one} ${version}`, { tool, index });
      else if (JSON.stringify(earlier.tool) !== JSON.stringify(tool)) {
        return fail(`${one} did not change on the server, and its definition did: ${JSON.stringify(earlier.tool)} became ${JSON.stringify(tool)}`, [earlier.index, index]);
      } else compared += 1;
    }
  }
  return compared === 0 ? inconclusive('no unchanged tool was seen twice') : pass(`${compared} times a tool was seen again as it was`);
}

/** Names of the two servers of GENERATION-003, in the order of registration. */
const TWO = ['earlier', 'later'] as const;
const AGAIN = 'the unchanged list is read again';

/** The judge of GENERATION-003. */
export function judgeUntouched(history: History): Judgement {
  const looked = registrySnapshots(history).filter(({ event }) => event.cause === 'looked');
  const [first, last] = [looked[0], looked.at(-1)];
  const read = eventsOf(history, 'barrier').filter(({ event }) => event.what === AGAIN && event.reached);
  if (first === undefined || last === undefined || read.length === 0 || last.index < (read.at(-1)?.index ?? 0)) {
    return inconclusive('the unchanged list was not read again, or nothing was looked at before and after');
  }
  if (first.event.tools.length < 2) return inconclusive('there was nothing to touch');
  const due = JSON.stringify(first.event.tools);
  const other = registrySnapshots(history).find(({ index, event }) => index > first.index && JSON.stringify(event.tools) !== due);
  if (other !== undefined) {
    const names = other.event.tools.map(({ name }) => name).join(', ');
    return fail(`a re-sync to the same list changed the registry: it held ${names} for a moment or for good`, [first.index, other.index]);
  }
  const told = registrySnapshots(history).find(({ index, event }) => index > first.index && event.cause === 'told');
  if (told !== undefined) return fail('a re-sync to the same list made the registry tell of a change', [told.index]);
  return pass(`the registry of ${first.event.tools.length} tools stayed as it was through ${read.length} re-syncs`);
}

async function exerciseUnchanged(bench: Bench): Promise<void> {
  needListChanges(bench);
  const serve = (name: string): BenchServer => bench.serve(name, listing(name, ['b', 'a', 'c.c']));
  const servers = TWO.slice(0, bench.subject.servers === 'one' ? 1 : 2).map(serve);
  await bench.open(servers);
  await bench.look();
  for (const server of [...servers, ...servers]) {
    const since = server.fixture.records.length;
    await announce(server);
    await bench.wire(server, AGAIN, listingAnswered(1), { since });
    // Once calls are back, the answer before them has been dealt with.
    await callEach(bench, (await bench.look()).tools);
  }
  await bench.look();
}

const HELD = 'held';
/** Calls in flight while the list changes: more than a bridge can take for one that is nearly over. */
const IN_FLIGHT = 4;

/** The list changes while calls run; they end before the last wait, for a bridge may well ask one thing after the other. */
async function exerciseBusy(bench: Bench): Promise<void> {
  needListChanges(bench);
  const before = listing(SERVER, [HELD, 'before'], { rules: [{ id: HELD, when: { method: 'tools/call', tool: HELD }, do: [{ hold: HELD }, { default: {} }] }] });
  const server = bench.serve(SERVER, before);
  await bench.open([server]);
  await server.program(before);
  const tool = await bench.find(HELD, SERVER);
  if (tool === undefined) return;
  const calls = Array.from({ length: IN_FLIGHT }, () => bench.start({ tool, server: SERVER, rawName: HELD }));
  await bench.wire(server, 'a call is held', held(HELD));
  const since = server.fixture.records.length;
  await server.program(listing(SERVER, [HELD, 'after']));
  await announce(server);
  await bench.wire(server, 'the list is asked for', listingAnswered(1), { since, boundMs: bench.subject.bounds.settleMs });
  await server.fixture.release(HELD);
  for (const call of calls) await call.reply.catch(() => undefined);
  await bench.registry(SHOWN, describes(mark(SERVER, 'after')));
  await callEach(bench, (await bench.look()).tools);
}

function judgeBusy(history: History): Judgement {
  const change = eventsOf(history, 'program').at(-1)?.index ?? 0;
  const busy = pairedCalls(history).some(({ requests, answer }) => (requests[0]?.index ?? Infinity) < change && (answer?.index ?? Infinity) > change);
  return busy ? judgeFollowed(history) : inconclusive('not in the history: a call in flight when the list changed');
}

/** Checks of following. */
export const followingChecks: readonly Check[] = [
  property({ ...changes, id: 'GENERATION-001/changes', invariant: 'GENERATION-001', judge: judgeFollowed }),
  scripted({ id: 'GENERATION-001/while-called', invariant: 'GENERATION-001', judge: judgeBusy, exercise: exerciseBusy }),
  property({ ...changes, id: 'GENERATION-002/changes', invariant: 'GENERATION-002', judge: judgeUnchanged }),
  scripted({ id: 'GENERATION-003/unchanged', invariant: 'GENERATION-003', judge: judgeUntouched, exercise: exerciseUnchanged }),
];
