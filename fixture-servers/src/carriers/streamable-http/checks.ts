/** What of a request can be judged by its head alone (spec 2025-11-25, transports). Pure. */
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The code of the JSON-RPC error in the body. Default -32000. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The revisions a client may name in `MCP-Protocol-Version`. */
export const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Refuses what came from a page of another origin, or under another host's name (DNS rebinding). */
export function checkOrigin(headers: IncomingHttpHeaders, isLoopback: boolean): Refusal | undefined {
  const { host = '', origin } = headers;
  if (isLoopback && !LOOPBACK.test(host)) return { status: 403, message: `Forbidden: the Host header names ${host.slice(0, 200)}, not this machine` };
  if (origin === undefined) return undefined;
  const from = /^https?:\/\/(.+)$/i.exec(origin)?.[1] ?? '';
  if (from.toLowerCase() === host.toLowerCase() || (isLoopback && LOOPBACK.test(from))) return undefined;
  return { status: 403, message: `Forbidden: requests of the origin ${origin.slice(0, 200)} are not served` };
}

/** Refuses a method that MCP does not use. */
export function checkMethod(method: string, listens: boolean): Refusal | undefined {
  if (method === 'POST' || method === 'DELETE' || (method === 'GET' && listens)) return undefined;
  return { status: 405, message: 'Method not allowed', headers: { allow: listens ? 'GET, POST, DELETE' : 'POST, DELETE' } };
}

/** Refuses a client that does not say it takes what it will be sent, and a body that is no JSON by its type. */
export function checkMedia(method: string, headers: IncomingHttpHeaders): Refusal | undefined {
  if (method === 'DELETE') return undefined;
  const needed = method === 'GET' ? ['text/event-stream'] : ['application/json', 'text/event-stream'];
  const missing = needed.filter((type) => !accepts(headers.accept ?? '', type));
  if (missing.length > 0) return { status: 406, message: `Not Acceptable: the client must accept ${needed.join(' and ')}` };
  if (method === 'GET' || mediaType(headers['content-type'] ?? '') === 'application/json') return undefined;
  return { status: 415, message: 'Unsupported Media Type: Content-Type must be application/json' };
}

/** Refuses a revision nobody knows. `agreed`: what `initialize` named. */
export function checkVersion(headers: IncomingHttpHeaders, agreed: ReadonlySet<string>): Refusal | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined) return undefined;
  if (typeof version === 'string' && (KNOWN_VERSIONS.has(version) || agreed.has(version))) return undefined;
  return { status: 400, message: `Bad Request: Unsupported protocol version: ${String(version).slice(0, 200)}` };
}

function accepts(header: string, type: string): boolean {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  return header.split(',').some((entry) => {
    const name = mediaType(entry);
    return name === type || name === '*/*' || name === family;
  });
}

function mediaType(value: string): string {
  return (value.split(';')[0] ?? '').trim().toLowerCase();
}
