/** How HTTP is spoken, and how many sessions there are. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BridgeAdapter, CallReply, CallRequest } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter, WebRequest } from '../../../subjects/minimal/index.ts';
import { listingAfresh } from './registries.ts';
import { liberty, type Liberty } from './vary.ts';
import { hangingUp, ownClient, passing, peek, rpcOf, sessionEach, sessionForCalls } from './web-clients.ts';

const WEB = ['CONNECTION-030', 'CALL-030', 'WIRE-022', 'WIRE-025'] as const;
const SESSIONS = ['CONNECTION-030', 'CONNECTION-031'] as const;
const HEADS = ['WIRE-022', 'WIRE-025', 'WIRE-043'] as const;
const TALK = ['WIRE-005', 'WIRE-027', 'WIRE-047', 'WIRE-048', 'WIRE-049'] as const;
const GIVEN_UP = ['CALL-038', 'CALL-039', 'WIRE-043', 'CONNECTION-041'] as const;

/** How long a call may wait for its server, in milliseconds. */
const PATIENCE_MS = 500;

/** Waits until no server is coming back, or patience ends. */
async function untilBack(inner: MinimalAdapter): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await inner.state()).servers.some(({ state }) => state === 'reconnecting') && performance.now() < deadline) await wait(5);
}

/** Sends a call once more in the new session, when the old one did not take it. */
const again = (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  call: async (request: CallRequest): Promise<CallReply> => {
    const reply = await inner.call(request);
    if (reply.message?.includes('status 404') !== true) return reply;
    await untilBack(inner);
    return inner.call(request);
  },
});

/** Calls wait for a server that is coming back. */
const patient = (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  call: async (request) => {
    await untilBack(inner);
    return inner.call(request);
  },
});

const withHeader = (name: string, value: string) => (url: string, request: WebRequest): Promise<Response> => {
  if (request.method === 'POST' && (name === 'accept' || !request.headers.has(name))) request.headers.set(name, value);
  return fetch(url, request);
};

/** Posts something of its own before certain requests, and takes no notice of what comes back. */
const postingFirst = (isBefore: (rpc: unknown) => boolean, rpc: string) => async (url: string, request: WebRequest): Promise<Response> => {
  if (isBefore(rpcOf(request)['method'])) {
    const response = await fetch(url, { method: 'POST', headers: request.headers, body: JSON.stringify({ jsonrpc: '2.0', id: `first-${Math.random()}`, method: rpc }) });
    await response.body?.cancel();
  }
  return fetch(url, request);
};

/** Asks for a stream before the handshake. */
const peekingFirst = async (url: string, request: WebRequest): Promise<Response> => {
  if (rpcOf(request)['method'] === 'initialize') await peek(url, request.headers);
  return fetch(url, request);
};

/** Liberties of HTTP. */
export const webLiberties: readonly Liberty[] = [
  liberty('sends a call that a lost session refused again in the new one', [...SESSIONS, 'CALL-030'], {}, again),
  liberty('lets its calls wait for a server that is coming back', [...SESSIONS, 'CONNECTION-014'], {}, patient),
  liberty('reaches for a lost server when it is called next, and not before', [...SESSIONS, 'CALL-030'], { onDemand: true, declares: { options: [], transports: ['streamable-http'] } }),
  liberty('listens to a stream of the server, and asks for the rest of one that ended', [...WEB, ...GIVEN_UP, 'WIRE-041', 'WIRE-042', 'WIRE-054', 'WIRE-055'], { web: { listens: true } }),
  liberty('keeps its sessions to itself', ['CONNECTION-030', 'WIRE-025'], {
    web: { fetch: async (url, request) => (request.method === 'DELETE' ? new Response(null, { status: 204 }) : fetch(url, request)) },
  }),
  liberty('leaves the stream of a call open that was given up', GIVEN_UP, { web: { fetch: (url, { signal: _signal, ...request }) => fetch(url, request) } }),
  liberty('has a session for its calls and one for the rest', [...WEB, ...GIVEN_UP, ...TALK], { web: { fetch: sessionForCalls() } }),
  liberty('has a session for each operation and lists afresh at each look', [...WEB, 'CONNECTION-031', 'WIRE-054', 'WIRE-055', ...GIVEN_UP, ...TALK], {
    follows: false, declares: { registry: 'pull', features: ['reconnect', 'abort', 'shared-registry', 'reload', 'outcomes'] }, web: { fetch: sessionEach() },
  }, listingAfresh),
  liberty('accepts events before JSON, each with its weight', HEADS, { web: { fetch: withHeader('accept', 'text/event-stream;q=0.9,application/json;q=1.0') } }),
  liberty('writes the types that it accepts in capitals', HEADS, { web: { fetch: withHeader('accept', 'Application/JSON, Text/Event-Stream') } }),
  liberty('names its revision from the first request on', HEADS, { web: { fetch: withHeader('mcp-protocol-version', '2025-11-25') } }),
  liberty('hangs up as soon as an answer is there', [...WEB, ...GIVEN_UP, ...TALK], { web: { fetch: hangingUp } }),
  liberty('lets what follows pass the end of a handshake on its way', [...WEB, ...TALK, 'WIRE-026'], { web: { fetch: passing } }),
  liberty('speaks HTTP by a client of its own', [...WEB, 'CONNECTION-031'], { web: { fetch: ownClient } }),
  liberty('asks for a stream before it shakes hands', [...HEADS, 'WIRE-054', 'WIRE-055'], { web: { fetch: peekingFirst } }),
  liberty('asks in the words of another era before it shakes hands', HEADS, { web: { fetch: postingFirst((rpc) => rpc === 'initialize', 'server/discover') } }),
  liberty('pings before each request', WEB, { web: { fetch: postingFirst((rpc) => rpc === 'tools/call' || rpc === 'tools/list', 'ping') } }),
];
