/** Stands in for a Streamable HTTP server: every request and every answer passes as it comes; the trace sees them go by. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EnvHttpProxyAgent } from 'undici';
import { checkOrigin } from '../../carriers/streamable-http/checks.ts';
import { openListener } from '../../carriers/streamable-http/listener.ts';
import { messageOf } from '../../system-error.ts';
import type { Recorder } from '../../trace/recorder.ts';
import { passExchange, type Leg } from './exchange.ts';

/** A proxy that records. */
export interface HttpRecorder {
  /** What a client is given in the place of the server's own address. */
  readonly url: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** How it is started. */
export interface HttpRecorderOptions {
  /** The endpoint of the server, http or https. */
  readonly target: URL;
  readonly recorder: Recorder;
  /** The port on 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Hears of servers that cannot be reached. */
  readonly warn: (message: string) => void;
}

/**
 * Starts the proxy on 127.0.0.1. Outbound it obeys `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (small letters too), and
 * has no time limits of its own: those are the client's and the server's.
 * @throws Error of the operating system when the port is taken
 */
export async function recordHttp({ target, recorder, port, warn }: HttpRecorderOptions): Promise<HttpRecorder> {
  const agent = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
  const leg: Leg = { target, recorder, agent, warn, count: 0, incarnations: new Map(), self: '' };
  const listener = await openListener('127.0.0.1', port, (request, response) => take(leg, request, response));
  leg.self = `http://127.0.0.1:${listener.port}`;
  recorder.record({ kind: 'process', event: 'start' });
  return {
    url: `${leg.self}${target.pathname}${target.search}`,
    async close() {
      listener.down();
      await agent.destroy();
      recorder.record({ kind: 'process', event: 'input-end' });
    },
  };
}

function take(leg: Leg, request: IncomingMessage, response: ServerResponse): void {
  // Our `Host` is not the server's, so its own protection against pages of other origins is in our hands.
  const refusal = checkOrigin({ host: request.headers.host }, true);
  if (refusal !== undefined) {
    response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(`${refusal.message}\n`);
    return;
  }
  passExchange(leg, request, response).catch((error: unknown) => {
    leg.warn(`an exchange failed: ${messageOf(error)}`);
    response.destroy();
  });
}
