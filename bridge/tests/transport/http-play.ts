/** An HTTP transport over a `fetch` that a test plays. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, vi } from 'vitest';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { HttpTransport } from '../../src/transport/streamable-http.ts';

/** A transport and what it did. */
export interface Played {
  readonly transport: HttpTransport;
  /** The methods of what was sent: the message's for a POST, `answer` for one without. */
  readonly sent: string[];
  readonly messages: JSONRPCMessage[];
  readonly reports: string[];
  readonly nextSecond: () => void;
}

type Answer = () => Response | Promise<Response>;

/** An answer in JSON. */
export const json = (value: unknown): Response => new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** A transport whose server gives these answers, and otherwise accepts notices, has no stream and names a session. */
export function play(answers: Record<string, Answer> = {}, { headers = {}, proxy = '', ...limits }: Partial<ConnectionLimits> & { headers?: Record<string, string>; proxy?: string } = {}): Played {
  const [sent, messages, reports] = [new Array<string>(), new Array<JSONRPCMessage>(), new Array<string>()];
  let nowMs = 0;
  const usual: Record<string, Answer> = {
    initialize: () => new Response('{"jsonrpc":"2.0","id":0,"result":{}}', { headers: { 'content-type': 'application/json', 'mcp-session-id': 's' } }),
    GET: () => new Response(null, { status: 405 }),
  };
  const transport = new HttpTransport({
    url: 'http://mcp.example/mcp', headers, proxy: readProxySettings({ HTTP_PROXY: proxy }), sessionLostOn400: true,
    fetch: async (_url, init) => {
      const { method = 'answer' }: { method?: string } = init?.method === 'POST' && typeof init.body === 'string' ? JSON.parse(init.body) : { method: init?.method };
      sent.push(method);
      const aborted = new Promise<never>((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
      return Promise.race([(answers[method] ?? usual[method] ?? (() => new Response(null, { status: 202 })))(), aborted]);
    },
    limits: resolveConnectionLimits(limits), redact: createRedactor(), now: () => 0, onGap: () => {},
    reports: new ReportLimiter((level, text) => reports.push(`${level}: ${text}`), 3, () => nowMs),
  });
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => messages.push(message) });
  const nextSecond = (): void => {
    nowMs += 1_000;
  };
  return { transport, sent, messages, reports, nextSecond };
}

/** A request, a call by default. */
export const request = (id: number, method = 'tools/call'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method });
/** A notice. */
export const notice = (method: string, params?: Record<string, unknown>): JSONRPCMessage => ({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

/** The same, after the handshake. */
export async function established(...args: Parameters<typeof play>): Promise<Played> {
  const played = play(...args);
  await played.transport.start();
  await played.transport.send(request(0, 'initialize'));
  await played.transport.send(notice('notifications/initialized'));
  await vi.waitFor(() => expect(played.sent).toContain('GET'), { interval: 1 });
  return played;
}
