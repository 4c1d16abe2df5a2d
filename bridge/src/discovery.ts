/**
 * Reads a server's whole tool list, page after page, within bounds (S24, B01, B03).
 * @module
 */
import { BridgeError, describeError, type BridgeErrorCode } from './errors.ts';
import { approximateJsonBytes, isJsonObject } from './json-shape.ts';
import type { RawToolPage, Session } from './session.ts';

/** Bounds of one listing; reaching one fails the sync whole, so that no part of a list is ever registered (B01). */
export interface DrainLimits {
  /** One request, milliseconds (B03). */
  readonly discoveryTimeoutMs: number;
  /** All requests together, milliseconds (B03). */
  readonly syncTimeoutMs: number;
  readonly maxPages: number;
  readonly maxTools: number;
  /** Approximate JSON size of all pages, their cursors included, bytes. */
  readonly maxListBytes: number;
  /** Ends the listing: the instance is being disposed. */
  readonly signal: AbortSignal;
}

/**
 * Every tool of every page, in listing order, unchecked.
 *
 * A cursor is opaque, so one that repeats is legal while its pages bring names not seen before; a page that brings
 * nothing new under a cursor that was followed already never ends, and fails the sync. An absent, null or empty cursor
 * ends the list: servers disagree about the empty one (R10), and following it would start the list afresh.
 *
 * @throws {BridgeError} `discovery-failed`, `discovery-timeout`, `limit-exceeded`, `connection-lost`, `disposed`
 */
export async function drainTools(serverName: string, session: Session, limits: DrainLimits): Promise<readonly unknown[]> {
  const deadline = performance.now() + limits.syncTimeoutMs;
  const tools: unknown[] = [];
  const names = new Set<string>();
  const followed = new Set<string>();
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    if (page > limits.maxPages) throw limitReached(serverName, `the tool list has more than ${limits.maxPages} pages`, 'maxPages');
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) throw syncTimedOut(serverName, limits.syncTimeoutMs, page);
    const timeoutMs = Math.min(limits.discoveryTimeoutMs, Math.ceil(remainingMs));
    let answer: RawToolPage;
    try {
      answer = await readPage(serverName, session, cursor, page, { timeoutMs, signal: limits.signal });
    } catch (error) {
      // The session names the limit of one request; it was the whole that had no more time.
      const isWhole = timeoutMs < limits.discoveryTimeoutMs && error instanceof BridgeError && error.code === 'discovery-timeout';
      throw isWhole ? syncTimedOut(serverName, limits.syncTimeoutMs, page, error) : error;
    }
    const before = names.size;
    // Before any work on its entries, of which one page may hold millions.
    if (tools.length + answer.tools.length > limits.maxTools) throw limitReached(serverName, `the tool list has more than ${limits.maxTools} tools`, 'maxTools');
    for (const tool of answer.tools) {
      tools.push(tool);
      if (isJsonObject(tool) && typeof tool['name'] === 'string') names.add(tool['name']);
    }
    const next = answer.nextCursor;
    // Cursors count: each of them is kept until the list ends.
    bytes += approximateJsonBytes(answer.tools) + (next?.length ?? 0);
    if (bytes > limits.maxListBytes) throw limitReached(serverName, `the tool list is larger than ${limits.maxListBytes} bytes`, 'maxListBytes');
    if (next === undefined || next === '') return tools;
    if (followed.has(next) && names.size === before) throw neverEnds(serverName, page);
    followed.add(next);
    cursor = next;
  }
}

/** One page, with every failure named after what was being done. */
async function readPage(
  serverName: string,
  session: Session,
  cursor: string | undefined,
  page: number,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<RawToolPage> {
  try {
    return await session.listToolsPage(cursor, limits);
  } catch (error) {
    throw asDiscoveryError(serverName, error, page);
  }
}

/** The session's own error, which says what happened, with the page and a code of discovery. */
function asDiscoveryError(serverName: string, error: unknown, page: number): BridgeError {
  const code = error instanceof BridgeError ? DISCOVERY_CODES.get(error.code) : undefined;
  const text = error instanceof BridgeError ? error.message : `MCP server "${serverName}": ${describeError(error)}`;
  return new BridgeError(code ?? 'discovery-failed', `${text} (page ${page} of the tool list)`, { cause: error });
}

/** What a failed request means for a listing; every other code is `discovery-failed`. */
const DISCOVERY_CODES: ReadonlyMap<BridgeErrorCode, BridgeErrorCode> = new Map([
  ['call-timeout', 'discovery-timeout'],
  ['discovery-timeout', 'discovery-timeout'],
  ['call-aborted', 'disposed'],
  ['disposed', 'disposed'],
  ['connection-lost', 'connection-lost'],
  ['not-connected', 'connection-lost'],
  ['limit-exceeded', 'limit-exceeded'],
]);

function limitReached(serverName: string, what: string, option: string): BridgeError {
  return new BridgeError('limit-exceeded', `MCP server "${serverName}": ${what}; nothing of it is used. Raise ${option} if the list is meant to be so large`);
}

function syncTimedOut(serverName: string, syncTimeoutMs: number, page: number, cause?: BridgeError): BridgeError {
  const text = `MCP server "${serverName}": its tool list was not complete within ${syncTimeoutMs} ms, after ${page - 1} pages; raise syncTimeoutMs if the server is slow`;
  return new BridgeError('discovery-timeout', text, { cause });
}

function neverEnds(serverName: string, page: number): BridgeError {
  return new BridgeError('limit-exceeded', `MCP server "${serverName}": its tool list never ends: page ${page} repeats an earlier cursor and brings no new tool; the server has to be mended`);
}
