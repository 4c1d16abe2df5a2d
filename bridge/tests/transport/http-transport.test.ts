/** What an HTTP transport does for each message and says of its end, over a `fetch` that a test plays. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { HttpExchange } from '../../src/transport/http-exchange.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { HttpTransport } from '../../src/transport/streamable-http.ts';
import { watchTimers } from './watch-timers.ts';

interface Played {
  readonly transport: HttpTransport;
  /** The methods of what was sent: the message's for a POST, `answer` for one without. */
  readonly sent: string[];
  readonly messages: JSONRPCMessage[];
  readonly reports: string[];
  readonly nextSecond: () => void;
}

type Answer = () => Response | Promise<Response>;

const json = (value: unknown): Response => new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
const result = (id: number): Response => json({ jsonrpc: '2.0', id, result: {} });

/** A transport whose server gives these answers, and otherwise accepts notices, has no stream and names a session. */
function play(answers: Record<string, Answer> = {}, { headers = {}, ...limits }: Partial<ConnectionLimits> & { headers?: Record<string, string> } = {}): Played {
  const [sent, messages, reports] = [new Array<string>(), new Array<JSONRPCMessage>(), new Array<string>()];
  let nowMs = 0;
  const usual: Record<string, Answer> = {
    initialize: () => new Response('{"jsonrpc":"2.0","id":0,"result":{}}', { headers: { 'content-type': 'application/json', 'mcp-session-id': 's' } }),
    GET: () => new Response(null, { status: 405 }),
  };
  const transport = new HttpTransport({
    url: 'http://localhost:9/mcp', headers, proxy: readProxySettings({}), sessionLostOn400: true,
    fetch: async (_url, init) => {
      const { method = 'answer' }: { method?: string } = init?.method === 'POST' && typeof init.body === 'string' ? JSON.parse(init.body) : { method: init?.method };
      sent.push(method);
      const aborted = new Promise<never>((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
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

const request = (id: number, method = 'tools/call'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method });
const notice = (method: string, params?: Record<string, unknown>): JSONRPCMessage => ({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

/** The same, after the handshake. */
async function established(...args: Parameters<typeof play>): Promise<Played> {
  const played = play(...args);
  await played.transport.start();
  await played.transport.send(request(0, 'initialize'));
  await played.transport.send(notice('notifications/initialized'));
  await vi.waitFor(() => expect(played.sent).toContain('GET'), { interval: 1 });
  return played;
}

describe('before the handshake is over', () => {
  it('says which configured headers it does not send, and has no last words', () => {
    const { transport, reports } = play({}, { headers: { Accept: 'x' } });
    expect(reports).toEqual(['warn: the configured header "Accept" is not sent: it belongs to the protocol; remove it']);
    expect([transport.lastWords(), transport.skipped, transport.reason]).toEqual(['', 0, undefined]);
  });

  it('takes no refusal for the end of the session, which has not begun', async () => {
    const { transport, sent, messages } = play({ 'tools/list': () => new Response('Session not found', { status: 404 }), 'tools/call': () => json({ jsonrpc: '2.0', id: 2, error: { code: -32_001, message: 'Session not found' } }) });
    await transport.send(request(0, 'initialize'));
    await expect(transport.send(request(1, 'tools/list'))).rejects.toMatchObject({ httpStatus: 404 });
    await transport.send(request(2));
    expect([transport.reason, sent, messages.length]).toEqual([undefined, ['initialize', 'tools/list', 'tools/call'], 2]);
  });
});

describe('a message', () => {
  it('is asked for no stream but once', async () => {
    const { transport, sent, reports } = await established();
    await transport.send(notice('notifications/other'));
    await transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} });
    await vi.waitFor(() => expect(reports).toHaveLength(1), { interval: 1 });
    expect(sent).toEqual(['initialize', 'notifications/initialized', 'GET', 'notifications/other', 'answer']);
    expect(reports[0]).toMatch(/^debug: the server offers no event stream \(status 405/);
  });

  it('that is a notice is refused, or takes too long, and leaves no timer (B07)', async () => {
    const timers = watchTimers(7_777);
    const refused = await established({ 'notifications/other': () => new Response('no', { status: 500 }) }, { noticePostTimeoutMs: 7_777 });
    await expect(refused.transport.send(notice('notifications/other'))).rejects.toMatchObject({ httpStatus: 500 });
    expect(timers()).toEqual([]);
    const silent = await established({ 'notifications/other': () => new Promise(() => {}) }, { noticePostTimeoutMs: 5 });
    await expect(silent.transport.send(notice('notifications/other'))).rejects.toThrow('aborted');
  });

  it('gives up the request that it cancels, and no other', async () => {
    const { transport, sent } = await established({ 'tools/call': () => new Promise(() => {}) });
    let isOver = false;
    const call = transport.send(request(1)).finally(() => (isOver = true));
    await transport.send(notice('notifications/other', { requestId: 1 }));
    await transport.send(notice('notifications/cancelled'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    await transport.send(notice('notifications/cancelled', { requestId: 1 }));
    await call;
    expect(sent.filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
  });

  it('that is none is counted and told, of whatever else comes with it', async () => {
    const { transport, messages, reports, nextSecond } = await established({ 'tools/call': () => json([1, { jsonrpc: '2.0', id: 1, result: {} }]) });
    for (let n = 0; n < 4; n += 1) await transport.send(request(1));
    expect([transport.skipped, messages.length]).toEqual([4, 5]);
    expect(reports).toContain('debug: the server sent JSON that is no message');
    nextSecond();
    await transport.send(request(1));
    expect(reports.some((text) => /^debug: \d more protocol reports were left out$/.test(text))).toBe(true);
  });

  it('leaves nothing of its exchange behind when it is over (B24)', async () => {
    const set = vi.spyOn(Map.prototype, 'set');
    const { transport } = await established({ 'tools/call': () => result(1) });
    await transport.send(request(1));
    const kept = set.mock.contexts.filter((_map, index) => set.mock.calls[index]?.[1] instanceof HttpExchange);
    set.mockRestore();
    expect(kept.length).toBeGreaterThan(0);
    for (const map of kept) expect(map).toHaveProperty('size', 0);
  });

  it('needs nobody who listens', async () => {
    const { transport } = await established({ 'tools/call': () => json([{ jsonrpc: '2.0', method: 'x' }, { jsonrpc: '2.0', id: 99, result: {} }, { jsonrpc: '2.0', id: 1, result: {} }]) });
    Object.assign(transport, { onmessage: undefined });
    await expect(transport.send(request(1))).resolves.toBeUndefined();
  });
});

describe('the end', () => {
  it('is told once when the session is lost, without its deletion, and stays the reason', async () => {
    const { transport, sent } = await established({ 'tools/call': () => new Response('gone', { status: 404 }) });
    let closed = 0;
    Object.assign(transport, { onclose: () => (closed += 1) });
    await Promise.all([1, 2].map((id) => expect(transport.send(request(id))).rejects.toMatchObject({ httpStatus: 404 })));
    expect(await transport.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('status 404') as unknown });
    await transport.close();
    expect([closed, sent.includes('DELETE'), transport.reason?.kind]).toEqual([1, false, 'http']);
    await expect(transport.send(request(3))).rejects.toMatchObject({ code: 'not-connected', message: 'the connection is closed' });
  });

  it.each([[200, []], [405, []], [500, [expect.stringMatching(/^warn: the session was not deleted: status 500/) as unknown]]])('deletes the session, which may be answered with status %i', async (status, told) => {
    const { transport, sent, reports } = await established({ DELETE: () => new Response(null, { status }) });
    await vi.waitFor(() => expect(reports).toHaveLength(1), { interval: 1 });
    await transport.close();
    expect([sent.at(-1), reports.slice(1)]).toEqual(['DELETE', told]);
    expect(await transport.closed).toEqual({ kind: 'closed-by-bridge', detail: 'closed by the bridge' });
  });
});
