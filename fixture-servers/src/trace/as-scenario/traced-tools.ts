/** The tools of a trace, for the scenarios that say `fromTrace`. */
import type { ToolEntry } from '../../scenario/schema.ts';
import { loadConversations } from '../conversation/load.ts';
import { TraceError } from '../error.ts';
import { listingsOf, toEntries } from './listings.ts';

/**
 * The tools of the last complete listing of a trace, as entries of a scenario.
 * @throws TraceError when the trace cannot be read, or holds no complete listing
 */
export async function toolsOfTrace(path: string, server?: string): Promise<ToolEntry[]> {
  const { lives } = await loadConversations(path, server, (error) => {
    throw error;
  });
  const last = lives.flatMap(listingsOf).at(-1);
  if (last === undefined) throw new TraceError(path, 0, 'holds no complete tools/list; record a client that lists the tools');
  return toEntries(last.tools, new Map());
}
