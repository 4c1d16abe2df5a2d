/** What a tool says about itself reaches the model as it is (DISCOVERY-008). */
import { mark, type BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, lastRegistry, ownEventsFrom, subjectOf } from '../../history/views.ts';
import { listedSchemas, schemaKindsOf, schemaMinimums, type Listed } from '../arbitraries/schemas.ts';
import { fail, inconclusive, pass, property, type Check, type Judgement } from '../check.ts';
import { identity, identityOf, reachedBy } from '../identities.ts';
import { perBench } from '../per-bench.ts';
import { callEach, describes, freshWord, listing, markedTool } from '../tool-lists.ts';
import { latestListing } from '../whole-lists.ts';

const SERVER = 'verbatim';
const RUNS = 8;

const benches = perBench<BenchServer>();

/** The judge of DISCOVERY-008. */
export function judgeFidelity(history: History): Judgement {
  const subject = subjectOf(history);
  const keyOrder = subject?.fidelity.keyOrder ?? false;
  const registry = lastRegistry(history);
  const list = latestListing(history, SERVER, ownEventsFrom(history));
  if (registry === undefined || list === undefined || !list.complete) return inconclusive('the list was not read, or nothing was looked at');
  const reached = reachedBy(history);
  const offered = new Map(registry.event.tools.flatMap((tool) => {
    const one = identityOf(reached, tool.name);
    return one === undefined ? [] : [[one, tool] as const];
  }));
  let compared = 0;
  for (const listed of list.tools) {
    const tool = isObject(listed) ? offered.get(identity(SERVER, listed['name'])) : undefined;
    if (tool === undefined || !isObject(listed)) continue;
    const { name, description, inputSchema } = listed;
    if (typeof description === 'string' && description !== tool.description) {
      return fail(`the description of ${JSON.stringify(name)} was listed as ${short(description)} and is offered as ${short(tool.description)}`, [registry.index]);
    }
    if (asText(inputSchema, keyOrder) !== asText(tool.parameters, keyOrder)) {
      return fail(`the schema of ${JSON.stringify(name)} was listed as ${short(inputSchema)} and is offered as ${short(tool.parameters)}`, [registry.index]);
    }
    compared += 1;
  }
  return compared === 0 ? inconclusive('no listed tool was reached by a call') : pass(`${compared} tools are offered as they were listed`);
}

/** JSON text, for a subject that does not keep the order of keys with sorted ones. */
function asText(value: unknown, keyOrder: boolean): string | undefined {
  return JSON.stringify(value, keyOrder ? undefined : (_key, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner));
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

/** Checks of fidelity. */
export const fidelityChecks: readonly Check[] = [
  property<readonly Listed[]>({
    id: 'DISCOVERY-008/schemas', invariant: 'DISCOVERY-008', judge: judgeFidelity, runs: RUNS,
    arbitrary: listedSchemas,
    labels: schemaKindsOf,
    minimums: schemaMinimums(RUNS),
    async prepare(bench) {
      const server = bench.serve(SERVER, listing(SERVER, ['before']));
      benches.set(bench, server);
      await bench.open([server]);
    },
    async exercise(bench, listed) {
      const word = freshWord();
      const tools = listed.map(({ kind, description, inputSchema }) => ({
        name: `about_${kind}`, inputSchema, ...(description === undefined ? {} : { description }),
      }));
      await bench.change(benches.get(bench), { scenario: 1, tools: [...tools, markedTool(SERVER, 'closing', word)] }, 'the list is shown', describes(mark(SERVER, 'closing'), word));
      await callEach(bench, (await bench.look()).tools);
    },
  }),
];
