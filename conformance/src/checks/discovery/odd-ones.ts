/** One odd entry among good ones (DISCOVERY-009, DISCOVERY-010). */
import { mark, type BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, ownEventsFrom } from '../../history/views.ts';
import { oddEntries, oddListed, oddMinimums, oddName, type OddEntry } from '../arbitraries/odd-entries.ts';
import { fail, inconclusive, pass, property, type Check, type Judgement, type PropertyCheck } from '../check.ts';
import { few, identity, mentions, namesOf, saidAloud, textNames } from '../identities.ts';
import { perBench } from '../per-bench.ts';
import { callEach, describes, freshWord, listing, markedTool } from '../tool-lists.ts';
import { latestListing } from '../whole-lists.ts';

const SERVER = 'market';
const RUNS = 6;
/** Good entries are told from odd ones by the start of their names. */
const GOOD = 'good_';

const benches = perBench<BenchServer>();

/** The names of the latest list, and the number of entries without one; `undefined` when it was not read to its end. */
function latestNames(history: History): { readonly names: readonly string[]; readonly nameless: number; readonly since: number } | undefined {
  const list = latestListing(history, SERVER, ownEventsFrom(history));
  if (list === undefined || !list.complete) return undefined;
  const nameless = list.tools.filter((tool) => !isObject(tool) || typeof tool['name'] !== 'string').length;
  return { names: textNames(list.tools), nameless, since: list.pages[0]?.request.index ?? 0 };
}

/** The judge of DISCOVERY-009. */
export function judgeSiblings(history: History): Judgement {
  const latest = latestNames(history);
  if (latest === undefined) return inconclusive('the list was not read to its end');
  const good = latest.names.filter((name) => name.startsWith(GOOD));
  if (good.length === 0 || good.length === latest.names.length + latest.nameless) return inconclusive('the list did not hold good and odd entries');
  const reached = namesOf(history);
  const lost = good.filter((name) => !reached.has(identity(SERVER, name)));
  if (lost.length > 0) return fail(`an odd entry cost ${lost.length} of its ${good.length} siblings: ${few(lost)} cannot be reached`, [latest.since]);
  return pass(`all ${good.length} siblings are reached`);
}

/** The judge of DISCOVERY-010. */
export function judgeSilence(history: History): Judgement {
  const latest = latestNames(history);
  if (latest === undefined) return inconclusive('the list was not read to its end');
  const reached = namesOf(history);
  if (reached.size === 0) return inconclusive('no call reached a server');
  const aloud = saidAloud(history, ownEventsFrom(history));
  const lost = latest.names.filter((name) => !reached.has(identity(SERVER, name)) && !aloud.some(({ text }) => mentions(text, name)));
  if (lost.length > 0) return fail(`listed, but neither reached by a call nor named in any warning or error: ${few(lost)}`, [latest.since]);
  if (latest.nameless > 0 && aloud.length === 0) return fail(`${latest.nameless} entries without a name are gone without a warning or error`, [latest.since]);
  return pass(`${latest.names.length} named entries are reached or spoken of, and ${latest.nameless} without a name were reported`);
}

const odd: Omit<PropertyCheck<readonly OddEntry[]>, 'kind' | 'id' | 'invariant' | 'judge'> = {
  arbitrary: oddEntries,
  runs: RUNS,
  labels: (entries) => entries.map(({ kind }) => kind),
  minimums: oddMinimums(RUNS),
  async prepare(bench) {
    const server = bench.serve(SERVER, listing(SERVER, ['good_before']));
    benches.set(bench, server);
    await bench.open([server]);
  },
  async exercise(bench, entries) {
    const word = freshWord();
    const good = (at: number): ReturnType<typeof markedTool> => markedTool(SERVER, `${GOOD}${at}`, word);
    const tools = [...entries.flatMap((entry, at) => [good(at), { raw: oddListed(entry) }]), good(entries.length)];
    await bench.change(benches.get(bench), { scenario: 1, tools }, 'the list is shown', describes(mark(SERVER, `${GOOD}${entries.length}`), word));
    const rawNames = [...entries.flatMap((entry) => oddName(entry) ?? []), ...Array.from({ length: entries.length + 1 }, (_, at) => `${GOOD}${at}`)];
    await callEach(bench, (await bench.look()).tools, [{ server: SERVER, rawNames }]);
  },
};

/** Checks of odd entries. */
export const oddOneChecks: readonly Check[] = [
  property({ ...odd, id: 'DISCOVERY-009/odd-entries', invariant: 'DISCOVERY-009', judge: judgeSiblings }),
  property({ ...odd, id: 'DISCOVERY-010/odd-entries', invariant: 'DISCOVERY-010', judge: judgeSilence }),
];
