/**
 * The sockets of one connection over HTTP: through a proxy where the platform says so, without the limits of Node's fetch
 * that would end a long silent call, and closed with the connection (B29, S05).
 */
import type { Dispatcher } from 'undici';
import { BridgeError } from '../errors.ts';
import { refuseManyCodings } from './content-codings.ts';
import { proxyFor, type ProxyRoute, type ProxySettings } from './proxy-settings.ts';

/** The agent of one connection. */
export interface HttpSockets {
  /** Goes with each request; `undefined` leaves the choice to the platform. */
  readonly dispatcher: Dispatcher | undefined;
  /** The proxy that requests go through. */
  readonly proxy: ProxyRoute | undefined;
  /** Closes every socket. Never rejects. */
  readonly destroy: () => Promise<void>;
}

/** No sockets of one's own: a custom `fetch`, or a host that has set a dispatcher for the whole process. */
export const FOREIGN_SOCKETS: HttpSockets = { dispatcher: undefined, proxy: undefined, destroy: () => Promise.resolve() };

/** Where undici and Node's fetch keep the dispatcher of the process. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Makes the agent. The library is loaded on first use, so that stdio servers do not pay for it.
 *
 * Node's fetch gives up after 300 s without a header or a byte. These limits are off here: each request has its own
 * (`toolCallTimeoutMs`, `discoveryTimeoutMs`, ...), and a stream for notices may be silent for ever.
 * @throws BridgeError `connect-failed` for a proxy's address that cannot be used; it is not repeated (B18)
 */
export async function openSockets(url: URL, proxy: ProxySettings, connectTimeoutMs: number): Promise<HttpSockets> {
  if (hasForeignDispatcher(globalThis)) return FOREIGN_SOCKETS;
  const { Agent, ProxyAgent } = await import('undici');
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } };
  try {
    const route = proxyFor(url, proxy);
    if (route === undefined) return socketsOf(new Agent(options), undefined);
    // A tunnel to an http server is refused by many proxies, so only https servers get one.
    const agent = new ProxyAgent({ ...options, uri: route.address, proxyTunnel: false });
    // The agent does not hand its own limits on to what speaks to the proxy.
    const unlimited = agent.compose((dispatch) => (request, handler) => dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler));
    return { ...socketsOf(agent, route), dispatcher: unlimited.compose(refuseManyCodings) };
  } catch (error) {
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    throw new BridgeError('connect-failed', `the proxy's address in ${name} is no usable one; write it like http://proxy.example:3128, or name the server's host in NO_PROXY`, { cause: error });
  }
}

function socketsOf(agent: Dispatcher, proxy: ProxyRoute | undefined): HttpSockets {
  return { dispatcher: agent.compose(refuseManyCodings), proxy, destroy: () => agent.destroy() };
}

/** Whether somebody has set a dispatcher for the process: a proxy of their own, certificates, a recording. It is theirs to choose. */
export function hasForeignDispatcher(scope: object): boolean {
  const dispatcher: unknown = Reflect.get(scope, GLOBAL_DISPATCHER);
  return typeof dispatcher === 'object' && dispatcher !== null && dispatcher.constructor.name !== 'Agent';
}
