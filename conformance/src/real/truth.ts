/**
 * The truth client: the official client library, without any subject. It drains the list page by page through the plain
 * `request`, so that an odd tool costs nothing and nothing is normalised on the way.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import type { ServerSpec } from '../adapter/messages.ts';
import { RealServerError } from './real-server.ts';

/** The name by which the truth client introduces itself, so that an in-process server keeps it out of what it witnesses. */
export const TRUTH_CLIENT_NAME = 'mcp-bridge-conformance-truth';
/** Milliseconds for one request: a real server on a busy machine needs one or two seconds to start. */
const REQUEST_LIMIT_MS = 20_000;
/** The most pages: no real server of the suite has more than one; a loop must end. */
const MAX_PAGES = 100;

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Every tool on every page of the server at `entry`, as the server wrote them. Rejects with `RealServerError` `unreachable`. */
export async function listTruth(entry: ServerSpec): Promise<readonly unknown[]> {
  const client = new Client({ name: TRUTH_CLIENT_NAME, version: '1' });
  const transport = transportTo(entry);
  try {
    await client.connect(transport, { timeout: REQUEST_LIMIT_MS });
    return await drain(client);
  } catch (cause) {
    throw new RealServerError('unreachable', `the server "${entry.name}" did not list its tools to a client of ours: ${text(cause)}`, { cause });
  } finally {
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession().catch(() => undefined);
    await client.close();
  }
}

async function drain(client: Client): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, page, { timeout: REQUEST_LIMIT_MS });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`the list did not end after ${MAX_PAGES} pages`);
}

function transportTo(entry: ServerSpec): Transport {
  if (entry.transport === 'stdio') {
    return new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      stderr: 'ignore',
      ...(entry.env === undefined ? {} : { env: entry.env }),
      ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
    });
  }
  const options = entry.headers === undefined ? {} : { requestInit: { headers: entry.headers } };
  return new StreamableHTTPClientTransport(new URL(entry.url), options);
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
