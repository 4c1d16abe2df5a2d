/** Lists with one tool twice (DISCOVERY-006, DISCOVERY-007). */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, lastRegistry, listings, registrySnapshots } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few, lastListing, mentions, namesOf, openedServers, saidAloud, textNames } from '../identities.ts';
import { paged } from '../pages.ts';
import { announceRefused, judgeKept, needListChanges } from '../resync.ts';
import { listing, lookAndCallEach, markedTool } from '../tool-lists.ts';

const SERVER = 'twins';
const GOOD = ['left', 'right'] as const;
const known = [{ server: SERVER, rawNames: [...GOOD, 'double', 'newcomer'] }];

const tools = (...names: readonly string[]): ReturnType<typeof markedTool>[] => names.map((name) => markedTool(SERVER, name));

/** Void lists: a name twice on one page, a name on two pages, and two names that are one in UTF-8, so share a public name. */
const VOID: Readonly<Record<string, ScenarioInput>> = {
  'one-page': { scenario: 1, tools: tools('left', 'double', 'right', 'double', 'newcomer') },
  'two-pages': paged([tools('left', 'double', 'newcomer'), tools('right', 'double')], ['second']),
  'one-public-name': listing(SERVER, ['left', 'odd\ud800', 'right', 'odd\udbff']),
};

/** How each void list is recognised in a listing: a name twice, or two that are equal in UTF-8. */
function isVoid(names: readonly string[]): boolean {
  return new Set(names.map((name) => Buffer.from(name, 'utf8').toString('hex'))).size < names.length;
}

async function exerciseVoid(bench: Bench, kind: string): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, GOOD));
  await bench.open([server]);
  await lookAndCallEach(bench, known);
  await announceRefused(bench, server, VOID[kind] ?? listing(SERVER, GOOD), known);
}

/** The judge of DISCOVERY-006. */
export function judgeVoid(history: History): Judgement {
  const last = lastListing(history, SERVER);
  const names = textNames(last?.tools ?? []);
  if (last === undefined || !isVoid(names)) return inconclusive('no void list was read');
  const kept = judgeKept(history);
  if (kept.verdict !== 'pass') return kept;
  const twice = names.filter((name, at) => names.findIndex((other) => Buffer.from(other).equals(Buffer.from(name))) !== at);
  const read = last.pages[0]?.request.index ?? 0;
  const said = saidAloud(history, read).some(({ text }) => twice.some((name) => mentions(text, name)));
  return said ? pass(`${kept.message}; the void list was refused by name`) : fail(`nothing says that ${few(twice.map((name) => JSON.stringify(name)))} voids the list`, [read]);
}

/** The judge of DISCOVERY-007, for any server and from the first registry on. */
export function judgeOneNameEach(history: History): Judgement {
  for (const { index, event } of registrySnapshots(history)) {
    const names = event.tools.map(({ name }) => name);
    const twice = names.filter((name, at) => names.indexOf(name) !== at);
    if (twice.length > 0) return fail(`the registry holds a name twice: ${few(twice)}`, [index]);
  }
  const doubled = openedServers(history).some((server) => listings(history, server).some(({ tools: listed }) => isVoid(textNames(listed))));
  if (!doubled) return inconclusive('no list had a tool twice');
  const offered = new Set(lastRegistry(history)?.event.tools.map(({ name }) => name));
  for (const [one, names] of namesOf(history)) {
    const now = [...names].filter((name) => offered.has(name));
    if (now.length > 1) return fail(`${one} is offered under several names: ${few(now)}`);
  }
  return eventsOf(history, 'settled').length > 0 ? pass('no tool is offered twice') : inconclusive('the subject never settled');
}

/** From the first listing on, so that it binds any subject: it may take the tool once, or refuse the list. */
async function exerciseDoubled(bench: Bench): Promise<void> {
  const server = bench.serve(SERVER, VOID['one-page'] ?? listing(SERVER, GOOD));
  await bench.open([server]);
  await lookAndCallEach(bench, known);
  await bench.close();
  const reread = bench.serve(SERVER, VOID['two-pages'] ?? listing(SERVER, GOOD));
  await bench.open([reread]);
  await lookAndCallEach(bench, known);
}

/** Checks of duplicates. */
export const duplicateChecks: readonly Check[] = [
  ...Object.keys(VOID).map((kind) =>
    scripted({ id: `DISCOVERY-006/${kind}`, invariant: 'DISCOVERY-006', judge: judgeVoid, exercise: (bench) => exerciseVoid(bench, kind) }),
  ),
  scripted({ id: 'DISCOVERY-007/listed-twice', invariant: 'DISCOVERY-007', judge: judgeOneNameEach, exercise: exerciseDoubled }),
];
