/** Reads the list of a server: every page (DISCOVERY-001, -002, -011), within bounds (DISCOVERY-003), losing nothing in silence. */
import { isObject } from './json.ts';

/** Bounds of one listing. */
const MOST_PAGES = 1_000;
const MOST_TOOLS = 20_000;
/** Pages in a row that bring no name that was not there before; a server may well have an empty page. */
const MOST_VAIN_PAGES = 20;

/** A tool as its server lists it. */
export interface ListedTool {
  readonly rawName: string;
  readonly description: string;
  readonly parameters: unknown;
  /** What its structured results promise to fit; absent when nothing. */
  readonly outputSchema: unknown;
}

/** What a listing brought. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  /** What is not offered, and why, for people to read. */
  readonly refused: readonly string[];
}

/**
 * Reads all pages.
 * @param ask asks for the page of a cursor, for the first one without
 * @throws Error when a page is no page, or a bound is reached: then no part of it is used
 */
export async function listTools(ask: (params: { readonly cursor?: string }) => Promise<unknown>): Promise<Listing> {
  const tools = new Map<string, ListedTool>();
  const refused: string[] = [];
  let cursor: string | undefined;
  let vain = 0;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const result = await ask(cursor === undefined ? {} : { cursor });
    if (!isObject(result) || !Array.isArray(result['tools'])) throw new Error(`page ${page} of its list is no list of tools`);
    const before = tools.size;
    for (const entry of result['tools'] as unknown[]) take(entry, tools, refused);
    if (tools.size > MOST_TOOLS) throw new Error(`its list has more than ${MOST_TOOLS} tools`);
    const next = result['nextCursor'];
    if (typeof next !== 'string') return { tools: [...tools.values()], refused };
    vain = tools.size > before ? 0 : vain + 1;
    if (vain > MOST_VAIN_PAGES) throw new Error(`its list goes on and on: ${vain} pages brought nothing new`);
    cursor = next;
  }
  throw new Error(`its list has more than ${MOST_PAGES} pages`);
}

function take(entry: unknown, tools: Map<string, ListedTool>, refused: string[]): void {
  const rawName = isObject(entry) ? entry['name'] : undefined;
  if (!isObject(entry) || typeof rawName !== 'string') {
    refused.push('an entry of its list has no name and is not offered');
  } else if (tools.has(rawName)) {
    refused.push(`${JSON.stringify(rawName)} is listed twice; the second is not offered`);
  } else {
    const { description, inputSchema, outputSchema } = entry;
    tools.set(rawName, {
      rawName, description: typeof description === 'string' ? description : '', parameters: isObject(inputSchema) ? inputSchema : { type: 'object' }, outputSchema,
    });
  }
}
