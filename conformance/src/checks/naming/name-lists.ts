/**
 * The exercise that most properties of names share: one live server is given a list of hostile names, and every tool that
 * is offered then is called once.
 */
import * as fc from 'fast-check';
import { mark, type Bench, type BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { ownEventsFrom } from '../../history/views.ts';
import { hostileNames, kindsOf, nameMinimums } from '../arbitraries/names.ts';
import type { PropertyCheck } from '../check.ts';
import { lastListing, openedServers } from '../identities.ts';
import { perBench } from '../per-bench.ts';
import { callEach, describes, freshWord, listing, markedTool } from '../tool-lists.ts';

/** One input: a list for each of two servers. */
export interface NameLists {
  readonly short: readonly string[];
  readonly long: readonly string[];
}

/** The shortest and the longest name a server may have (S02): where names are cut depends on it. */
export const LIST_SERVERS = { short: 's', long: 'server-of-thirty-two-characters_' } as const;

/** Inputs of one property. Each holds some 40 names, so a few say much. */
const RUNS = 8;

/** The last tool of each list; a clean name that no generator makes. Its description says which list it closes. */
const closing = (server: string): string => `closing-of-${server.length}`;

const benches = perBench<{ readonly short: BenchServer; readonly long: BenchServer | undefined }>();

/** What these properties have in common; the judge makes the difference. */
export const nameListProperty: Omit<PropertyCheck<NameLists>, 'kind' | 'id' | 'invariant' | 'judge'> = {
  arbitrary: fc.record({ short: hostileNames, long: hostileNames }),
  runs: RUNS,
  labels: ({ short, long }) => [...new Set([...kindsOf(short), ...kindsOf(long)])],
  minimums: nameMinimums(RUNS),
  async prepare(bench) {
    const [short, long] = [LIST_SERVERS.short, LIST_SERVERS.long].map((name) => bench.serve(name, listing(name, [closing(name)])));
    if (short === undefined || long === undefined) return;
    const several = bench.subject.servers !== 'one';
    benches.set(bench, { short, long: several ? long : undefined });
    await bench.open(several ? [short, long] : [short]);
  },
  async exercise(bench, input) {
    const { short, long } = benches.get(bench);
    await Promise.all([show(bench, short, input.short), long === undefined ? undefined : show(bench, long, input.long)]);
    const { tools } = await bench.look();
    await callEach(bench, tools, [
      { server: LIST_SERVERS.short, rawNames: [...input.short, closing(LIST_SERVERS.short)] },
      { server: LIST_SERVERS.long, rawNames: [...input.long, closing(LIST_SERVERS.long)] },
    ]);
  },
};

async function show(bench: Bench, server: BenchServer, names: readonly string[]): Promise<void> {
  const last = closing(server.name);
  const word = freshWord();
  const tools = [...names.map((name) => markedTool(server.name, name)), markedTool(server.name, last, word)];
  await bench.change(server, { scenario: 1, tools }, `the list of ${server.name} is shown`, describes(mark(server.name, last), word));
}

/** Whether the latest run's lists were asked for and answered to their end: the witness of these properties. */
export function wasListed(history: History): boolean {
  const from = ownEventsFrom(history);
  const servers = openedServers(history);
  return servers.length > 0 && servers.every((server) => (lastListing(history, server)?.pages[0]?.request.index ?? -1) >= from);
}
