/**
 * Syncs that must come to nothing: the exercise that announces one and the judge of what stayed. The judge is pure.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../bench/bench.ts';
import { NotApplicable } from '../bench/endings.ts';
import { nowMs } from '../history/clock.ts';
import type { EventOf, History } from '../history/schema.ts';
import { pairings, received, registrySnapshots, type At } from '../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from './check.ts';
import { few, identity } from './identities.ts';
import { announce, callEach, type Known } from './tool-lists.ts';
import { listingAnswered } from './wire-waits.ts';

/** The barrier that says that the bad list was read. */
export const READ = 'the list is read';
/** The barrier that says that no listing was under way between two calls. */
export const ENDED = 'the listing has ended';

/** How often an exercise looks whether a listing has ended, some calls between each two looks. */
const MOST_LOOKS = 400;

/** Ends the exercise unless the subject follows announcements. */
export function needListChanges(bench: Bench): void {
  if (!bench.subject.features.includes('list-changes')) throw new NotApplicable('the subject does not declare the feature list-changes');
}

/**
 * Announces a list that has to be refused and waits until it was dealt with: it was read to its end on the wire, and calls
 * that were made after that have come back. Then looks and calls everything that is offered.
 */
export async function announceRefused(bench: Bench, server: BenchServer, scenario: ScenarioInput, known: readonly Known[]): Promise<void> {
  const since = server.fixture.records.length;
  await server.program(scenario);
  await announce(server);
  await bench.wire(server, READ, listingAnswered(1), { since });
  await callEach(bench, (await bench.look()).tools, known);
  await callEach(bench, (await bench.look()).tools, known);
}

/** Calls until no page was asked for between two calls, at most so often; records the barrier. */
export async function untilListingEnds(bench: Bench, server: BenchServer, known: readonly Known[]): Promise<boolean> {
  const count = (): number => received(bench.history, server.name, 'tools/list').length;
  let before = -1;
  let reached = false;
  for (let look = 0; look < MOST_LOOKS && !reached; look += 1) {
    before = count();
    await callEach(bench, (await bench.look()).tools, known);
    reached = count() === before;
  }
  bench.record({ atMs: nowMs(), kind: 'barrier', what: ENDED, reached, boundMs: MOST_LOOKS });
  return reached;
}

/**
 * Judges that from the first look on the registry stayed as it was, in each snapshot, and that at the end its tools reach
 * what they reached at the start.
 * @param until position up to which nothing may change; default: the end
 */
export function judgeKept(history: History, until = history.length): Judgement {
  const looked = registrySnapshots(history).filter(({ index, event }) => index < until && event.cause === 'looked');
  const [first, last] = [looked[0], looked.at(-1)];
  if (first === undefined || last === undefined || first === last) return inconclusive('the registry was not looked at before and after');
  if (first.event.tools.length === 0) return inconclusive('there was nothing to keep');
  const due = textOf(first);
  for (const snapshot of registrySnapshots(history)) {
    if (snapshot.index <= first.index || snapshot.index >= until || textOf(snapshot) === due) continue;
    const names = snapshot.event.tools.map(({ name }) => name);
    const gone = first.event.tools.map(({ name }) => name).filter((name) => !names.includes(name));
    const what = gone.length > 0 ? `is gone: ${few(gone)}` : `was changed: ${few(names)}`;
    return fail(`a sync that had to fail touched the previous generation; of its ${first.event.tools.length} tools ${what}`, [first.index, snapshot.index]);
  }
  const callable = pairings(history).filter(({ call }) => call.call.index > last.index && call.call.index < until);
  const uncalled = first.event.tools.filter(({ name }) => !callable.some(({ publicName }) => publicName === name));
  if (callable.length === 0) return inconclusive('no call reached a server afterwards');
  if (uncalled.length > 0) return fail(`kept in the registry, but its calls reach no server: ${few(uncalled.map(({ name }) => name))}`);
  return pass(`all ${first.event.tools.length} tools stayed and can be called`);
}

/** Whether a call after the last look reached this tool. */
export function reachedAtTheEnd(history: History, server: string, rawName: string): boolean {
  const looked = registrySnapshots(history).findLast(({ event }) => event.cause === 'looked')?.index ?? 0;
  return pairings(history).some((one) => one.call.call.index > looked && identity(one.server, one.rawName) === identity(server, rawName));
}

function textOf(snapshot: At<EventOf<'registry'>>): string {
  return JSON.stringify(snapshot.event.tools);
}
