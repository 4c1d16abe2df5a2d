/** What is sent is what was listed (NAMING-007, NAMING-008, NAMING-010). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, lastRegistry, listings, pairings, subjectOf } from '../../history/views.ts';
import { PROTOTYPE_NAMES } from '../arbitraries/names.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { few, identity, lastListing, namesOf, reachedBy, textNames } from '../identities.ts';
import { callEach, listing } from '../tool-lists.ts';
import { nameListProperty } from './name-lists.ts';

/** The judge of NAMING-007. */
export function judgeRoundTrip(history: History): Judgement {
  const listed = new Map<string, Set<string>>();
  let judged = 0;
  for (const { publicName, server, rawName, call } of pairings(history)) {
    const names = listed.get(server) ?? new Set(listings(history, server).flatMap(({ tools }) => textNames(tools)));
    listed.set(server, names);
    if (typeof rawName !== 'string' || !names.has(rawName)) {
      return fail(`the call of ${publicName} sent the name ${JSON.stringify(rawName)}, which "${server}" never listed`, [call.call.index]);
    }
    const { server: meantServer, rawName: meant } = call.call.event;
    if (meant === undefined) continue;
    if (meant !== rawName || meantServer !== server) {
      return fail(`the call of ${publicName}, a tool listed as ${identity(meantServer ?? '', meant)}, reached ${identity(server, rawName)}`, [call.call.index]);
    }
    judged += 1;
  }
  if (judged === 0) return inconclusive('no call of a known tool reached a server');
  return pass(`${judged} calls carried the listed name`);
}

/** The raw name that everybody shares. */
const SHARED = 'search';

/** The judge of NAMING-008, with and without a native tool. */
export function judgeCoexistence(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject?.names.scheme === 'own' && !subject.names.qualified) {
    return { verdict: 'not-applicable', message: 'the subject declares names that do not carry the server' };
  }
  const opened = eventsOf(history, 'request').findLast(({ event }) => event.step === 'open')?.event;
  const servers = opened?.servers.map(({ name }) => name) ?? [];
  const unread = servers.filter((server) => !textNames(lastListing(history, server)?.tools ?? []).includes(SHARED));
  if (servers.length === 0 || unread.length > 0) return inconclusive(`the lists were not all read: ${few(unread)}`);
  const reachable = namesOf(history);
  const lost = servers.filter((server) => !reachable.has(identity(server, SHARED)));
  if (lost.length === servers.length) return inconclusive('no call reached any server');
  if (lost.length > 0) return fail(`"${SHARED}" of ${few(lost)} cannot be reached`);
  for (const [publicName, reached] of reachedBy(history)) {
    if (reached.size > 1) return fail(`${publicName} stands for several tools: ${few([...reached.keys()])}`);
  }
  const registry = lastRegistry(history);
  for (const native of opened?.host?.nativeTools ?? []) {
    if (registry?.event.tools.filter(({ name }) => name === native).length !== 1) {
      return fail(`the native tool "${native}" is not in the registry once`, registry === undefined ? [] : [registry.index]);
    }
    if (reachedBy(history).has(native)) return fail(`the name of the native tool "${native}" reaches a server`);
  }
  return pass(`"${SHARED}" is reached on each of ${servers.length} servers, by different names`);
}

/** The judge of NAMING-010. */
export function judgePrototypeNames(history: History): Judgement {
  const reachable = namesOf(history);
  if (reachable.size === 0) return inconclusive('no call reached any server');
  let judged = 0;
  for (const [server, tools] of lists(history)) {
    const lost = textNames(tools).filter((name) => !reachable.has(identity(server, name)));
    if (lost.length > 0) return fail(`listed by "${server}" but not reached by any name: ${few(lost.map((name) => JSON.stringify(name)))}`);
    judged += tools.length;
  }
  if (judged === 0) return inconclusive('no list was read');
  return pass(`${judged} tools with names of that kind are listed and called`);
}

function lists(history: History): (readonly [string, readonly unknown[]])[] {
  const opened = eventsOf(history, 'request').flatMap(({ event }) => event.servers.map(({ name }) => name));
  return [...new Set(opened)].map((server) => [server, lastListing(history, server)?.tools ?? []] as const);
}

async function openAndCall(bench: Bench, servers: readonly string[], rawNames: readonly string[], nativeTools: readonly string[] = []): Promise<void> {
  const served = servers.map((server) => bench.serve(server, listing(server, rawNames)));
  await bench.open(served, nativeTools.length === 0 ? undefined : { nativeTools: [...nativeTools] });
  const { tools } = await bench.look();
  await callEach(bench, tools.filter(({ name }) => !nativeTools.includes(name)), servers.map((server) => ({ server, rawNames })));
}

const PROTOTYPE_SERVERS = ['__proto__', 'constructor'] as const;

/** Checks of the round trip. */
export const roundTripChecks: readonly Check[] = [
  property({ ...nameListProperty, id: 'NAMING-007/hostile-names', invariant: 'NAMING-007', judge: judgeRoundTrip }),
  scripted({
    id: 'NAMING-008/two-servers', invariant: 'NAMING-008', judge: judgeCoexistence,
    exercise: (bench) => openAndCall(bench, ['web', 'github'], [SHARED, 'other.tool']),
  }),
  scripted({
    id: 'NAMING-008/native-tool', invariant: 'NAMING-008', judge: judgeCoexistence,
    exercise: (bench) => openAndCall(bench, ['web'], [SHARED], bench.subject.features.includes('shared-registry') ? [SHARED] : []),
  }),
  scripted({
    id: 'NAMING-010/prototype-names', invariant: 'NAMING-010', judge: judgePrototypeNames,
    async exercise(bench) {
      const { servers, names } = bench.subject;
      // Where only one server fits, or no two may have the same raw names, each is opened alone.
      const alone = servers === 'one' || (names.scheme === 'own' && !names.qualified);
      for (const group of alone ? PROTOTYPE_SERVERS.map((server) => [server]) : [PROTOTYPE_SERVERS]) {
        await openAndCall(bench, group, [...PROTOTYPE_NAMES, '', 'ordinary']);
      }
    },
  }),
];
