/**
 * What waits are for, in words: a predicate is code, and what a case is written from has to be data.
 */
import { scenario, type ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { OfferedTool } from '../adapter/messages.ts';
import { listedTools } from '../history/program-views.ts';
import type { Awaited } from '../history/schema.ts';
import { isObject } from '../history/wire-views.ts';

/** Says whether a record is the one. */
type WirePredicate = (record: TraceRecord) => boolean;
/** Says whether a registry is as it is waited for. */
type RegistryPredicate = (tools: readonly OfferedTool[]) => boolean;

/** More tools than these are not tried one by one. */
const MAX_TRIED = 2_000;

const words = new WeakMap<WirePredicate, Awaited>();

/** Gives a predicate the words for what it waits for. */
export function awaiting(until: Awaited, predicate: WirePredicate): WirePredicate {
  words.set(predicate, until);
  return predicate;
}

/** The words for a wait on the wire of a server: the predicate's own, and the record by which it was reached. */
export function wordsOf(server: string, predicate: WirePredicate, reachedBy: TraceRecord | undefined): Awaited | undefined {
  const own = words.get(predicate);
  if (own === undefined && reachedBy === undefined) return undefined;
  return { server, ...own, ...(reachedBy === undefined ? {} : { record: { pid: reachedBy.pid, seq: reachedBy.seq } }) };
}

/**
 * The words for a wait for a registry: descriptions of a smallest set of tools by which it is satisfied. A description of
 * a scripted tool holds its mark and its version.
 * @param tools the registry by which it was reached, or the one that the scripts would give
 * @param last the registry that the predicate saw last: it may remember what it sees, and sees that one once more
 */
export function descriptionsFor(predicate: RegistryPredicate, tools: readonly OfferedTool[], last: readonly OfferedTool[]): Awaited | undefined {
  if (tools.length > MAX_TRIED) return undefined;
  try {
    if (!predicate(tools)) return undefined;
    const one = predicate([]) ? undefined : tools.find((tool) => predicate([tool]));
    return one === undefined ? { describes: tools.map(({ description }) => description), only: true } : { describes: [one.description] };
  } finally {
    predicate(last);
  }
}

/** What a registry would hold if it held what these scripts list, by raw name. */
export function scriptedTools(scenarios: readonly ScenarioInput[]): OfferedTool[] {
  return scenarios.flatMap((given) => listsOf(given)).flatMap((tool): OfferedTool[] => {
    if (!isObject(tool)) return [];
    const { name, description, inputSchema } = { name: undefined, description: undefined, inputSchema: undefined, ...tool };
    return typeof name === 'string' ? [{ name, description: typeof description === 'string' ? description : '', parameters: inputSchema }] : [];
  });
}

/** The list of a script: what its rules reply to a listing, where they do, or its tools. */
function listsOf(given: ScenarioInput): unknown[] {
  const parsed = scenario.safeParse(given);
  if (!parsed.success) return [];
  const replied = parsed.data.rules.filter(({ when }) => when.method === 'tools/list').flatMap(({ do: actions }) =>
    actions.flatMap((action): unknown[] => {
      const result = 'reply' in action ? action.reply.result : undefined;
      return isObject(result) && Array.isArray(result['tools']) ? result['tools'] : [];
    }));
  return replied.length > 0 ? replied : listedTools(parsed.data.tools);
}
