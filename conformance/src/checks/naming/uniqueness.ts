/** One name, one tool; one tool, a name (NAMING-002, NAMING-003). */
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, ownEventsFrom, pairings } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { few, hasWords, identity, lastListing, mentions, namesOf, openedServers, reachedBy, saidAloud, textNames } from '../identities.ts';
import { announce, callEach, listing, lookAndCallEach } from '../tool-lists.ts';
import { listingAnswered } from '../wire-waits.ts';
import { nameListProperty, wasListed } from './name-lists.ts';

/** Two servers and a tool of each that the scheme gives one name. */
export const MEETING = {
  first: { server: 'alpha', tool: 'beta__gamma' },
  second: { server: 'alpha__beta', tool: 'gamma' },
} as const;

/** The judge of NAMING-002. */
export function judgeUniqueness(history: History): Judgement {
  const registry = lastRegistry(history);
  const offered = registry?.event.tools.map(({ name }) => name) ?? [];
  const seen = new Set<string>();
  const twice = offered.filter((name) => seen.size === seen.add(name).size);
  if (registry !== undefined && twice.length > 0) return fail(`the registry holds a name twice: ${few(twice)}`, [registry.index]);
  for (const [publicName, reached] of reachedBy(history)) {
    if (reached.size > 1) return fail(`${publicName} stands for several tools: ${few([...reached.keys()])}`, [...reached.values()]);
  }
  const reachable = namesOf(history);
  if (reachable.size === 0) return inconclusive('no call reached any server');
  const aloud = saidAloud(history, ownEventsFrom(history));
  for (const server of openedServers(history)) {
    const names = textNames(lastListing(history, server)?.tools ?? []);
    const lost = names.filter((name) => !reachable.has(identity(server, name)) && !aloud.some(({ text }) => mentions(text, name)));
    if (lost.length > 0) {
      return fail(`listed by "${server}" but neither reached by any name nor refused by name: ${few(lost.map((name) => JSON.stringify(name)))}`);
    }
  }
  return pass(`${reachable.size} tools are reached, each by a name of its own`);
}

function judgeUniqueNames(history: History): Judgement {
  return wasListed(history) ? judgeUniqueness(history) : inconclusive('the list was never read to its end');
}

/** The judge of NAMING-003, for two servers that meet from the start and for a list that comes to it later. */
export function judgeMeeting(history: History): Judgement {
  const { first, second } = MEETING;
  const shared = [...reachedBy(history)].find(([, reached]) => reached.size > 1);
  if (shared !== undefined) return fail(`${shared[0]} stands for several tools: ${few([...shared[1].keys()])}`);
  const listed = [first, second].every(({ server, tool }) => textNames(lastListing(history, server)?.tools ?? []).includes(tool));
  if (!listed) return inconclusive('the two tools that meet were not both listed');
  const after = Math.max(0, ...[first, second].map(({ server }) => lastListing(history, server)?.pages.at(-1)?.answer?.index ?? 0));
  const looked = lastRegistry(history)?.index ?? 0;
  const late = pairings(history).filter(({ call }) => call.call.index > looked);
  if (looked < after || late.length === 0) return inconclusive('nothing was called after both lists were read');
  const reached = new Set(late.map(({ server, rawName }) => identity(server, rawName)));
  const has = ({ server, tool }: { server: string; tool: string }): boolean => reached.has(identity(server, tool));
  if (has(first) && has(second)) return fail('both tools were reached, so the names are not those of the declared scheme');
  if (!has(first) && !has(second)) return fail('neither of the two tools can be reached any more: the earlier one had to stay');
  const refused = has(first) ? second : first;
  const siblings = late.filter(({ server }) => server === refused.server).map(({ rawName }) => String(rawName));
  const before = pairings(history).filter(({ server, call }) => server === refused.server && call.call.index <= after).map(({ rawName }) => String(rawName));
  const gone = before.filter((name) => !siblings.includes(name));
  if (gone.length > 0) return fail(`the refused sync cost the previous generation of "${refused.server}": ${few(gone)} cannot be reached`);
  const appeared = siblings.filter((name) => !before.includes(name));
  if (appeared.length > 0) return fail(`a part of the refused list of "${refused.server}" is offered: ${few(appeared)}`);
  const words = [first.server, first.tool, second.server, second.tool];
  if (!saidAloud(history).some(({ text }) => hasWords(text, words))) return fail(`no error names both tools and both servers: ${words.join(', ')}`);
  return pass(`the list of "${refused.server}" was refused by name, and nothing else changed`);
}

function judgeMeetingLater(history: History): Judgement {
  const read = barrierOf(history, 'the second list is read');
  return read?.event.reached === true ? judgeMeeting(history) : inconclusive('the second list was never read');
}

/** Checks of uniqueness. */
export const uniquenessChecks: readonly Check[] = [
  property({ ...nameListProperty, id: 'NAMING-002/hostile-names', invariant: 'NAMING-002', judge: judgeUniqueNames }),
  scripted({
    id: 'NAMING-002/two-servers', invariant: 'NAMING-002', judge: judgeUniqueness,
    async exercise(bench) {
      const { first, second } = MEETING;
      await bench.open([
        bench.serve(first.server, listing(first.server, [first.tool])),
        bench.serve(second.server, listing(second.server, [second.tool])),
      ]);
      await lookAndCallEach(bench);
    },
  }),
  scripted({
    id: 'NAMING-003/from-the-start', invariant: 'NAMING-003', judge: judgeMeeting,
    async exercise(bench) {
      const { first, second } = MEETING;
      await bench.open([
        bench.serve(first.server, listing(first.server, [first.tool, 'plain_one'])),
        bench.serve(second.server, listing(second.server, ['plain_two', second.tool])),
      ]);
      await lookAndCallEach(bench);
    },
  }),
  scripted({
    id: 'NAMING-003/by-a-change', invariant: 'NAMING-003', judge: judgeMeetingLater,
    async exercise(bench) {
      const { first, second } = MEETING;
      const one = bench.serve(first.server, listing(first.server, [first.tool]));
      const two = bench.serve(second.server, listing(second.server, ['plain_two', 'plain_three']));
      await bench.open([one, two]);
      await lookAndCallEach(bench);
      await two.program(listing(second.server, ['plain_two', second.tool, 'plain_three']));
      await announce(two);
      await bench.wire(two, 'the second list is read', listingAnswered(2));
      // Answers come in order, so once these calls are back the refused list has been dealt with.
      await callEach(bench, (await bench.look()).tools);
      await lookAndCallEach(bench);
    },
  }),
];
