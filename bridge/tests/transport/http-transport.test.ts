/** What an HTTP transport does for each message and says of its end. */
import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { HttpExchange } from '../../src/transport/http-exchange.ts';
import { isSessionLost } from '../../src/transport/lost-session.ts';
import { established, json, notice, play, request } from './http-play.ts';
import { watchTimers } from './watch-timers.ts';

describe('before the handshake is over', () => {
  it('says which configured headers it does not send, and has no last words', () => {
    const { transport, reports } = play({}, { headers: { Accept: 'x' } });
    expect(reports).toEqual(['warn: the configured header "Accept" is not sent: it belongs to the protocol; remove it']);
    expect([transport.lastWords(), transport.skipped, transport.reason]).toEqual(['', 0, undefined]);
  });

  it('opens no sockets where a fetch is given, and needs no proxy that can be used', async () => {
    await expect(play({}, { proxy: 'http://[' }).transport.start()).resolves.toBeUndefined();
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
    await expect(silent.transport.send(notice('notifications/other'))).rejects.toMatchObject({ executed: 'unknown', evidence: 'none', message: 'the server did not answer within 5 ms' });
  });

  it('gives up the request that it cancels, and no other', async () => {
    const { transport, sent } = await established({ 'tools/call': () => new Promise(() => {}) }, { answerDrainMs: 60_000 });
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

  it('of the server with the id of one of ours is no answer to it', async () => {
    const { transport, messages } = await established({ 'tools/call': () => json({ jsonrpc: '2.0', id: 1, method: 'ping' }) });
    await expect(transport.send(request(1))).rejects.toThrow('is no answer to this request');
    expect(messages.at(-1)).toMatchObject({ method: 'ping' });
  });

  it('leaves nothing of its exchange behind when it is over (B24)', async () => {
    const set = vi.spyOn(Map.prototype, 'set');
    const { transport } = await established({ 'tools/call': () => json({ jsonrpc: '2.0', id: 1, result: {} }) });
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
    const lost = await established({ 'tools/call': () => new Response(null, { status: 404 }) });
    await expect(lost.transport.send(request(1))).rejects.toMatchObject({ httpStatus: 404 });
    expect(await lost.transport.closed).toMatchObject({ kind: 'http' });
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
    for (let n = 0; n < 10; n += 1) await turn();
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

  it('waits for the others that meet it, and leaves no timer', async () => {
    const timers = watchTimers(7_778);
    let calls = 0;
    const { transport } = await established(
      {
        'tools/call': async () => {
          calls += 1;
          if (calls === 2) for (let n = 0; n < 10; n += 1) await turn();
          return new Response(null, { status: 404 });
        },
      },
      { lossGraceMs: 7_778 },
    );
    await Promise.all([1, 2].map((id) => expect(transport.send(request(id))).rejects.toMatchObject({ httpStatus: 404 })));
    await transport.closed;
    expect(timers()).toEqual([]);
  });
});

const unknown = (): Response => json({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'Session not found' } });
const isMarked = (message: JSONRPCMessage | undefined): boolean => message !== undefined && 'error' in message && isSessionLost(message.error);

describe('an error that speaks of the session', () => {
  it('is the end when a ping is refused, and handed on as it came when it is answered', async () => {
    const lost = await established({ 'tools/call': unknown, ping: () => new Response(null, { status: 404 }) });
    await lost.transport.send(request(1));
    await vi.waitFor(() => expect(lost.messages).toHaveLength(2), { interval: 1 });
    expect([isMarked(lost.messages[1]), lost.transport.reason?.kind]).toEqual([true, 'http']);
    const alive = await established({ 'tools/call': unknown, ping: () => json({ jsonrpc: '2.0', id: 'probe-1', result: {} }) });
    await alive.transport.send(request(1));
    await vi.waitFor(() => expect(alive.messages).toHaveLength(2), { interval: 1 });
    expect([isMarked(alive.messages[1]), alive.transport.reason]).toEqual([false, undefined]);
  });

  it('is asked after by no ping when it speaks of something else', async () => {
    const { transport, sent, messages } = await established({ 'tools/call': () => json({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'Request timed out' } }), 'tools/list': () => new Response('no', { status: 403 }) });
    await transport.send(request(1));
    await expect(transport.send(request(2, 'tools/list'))).rejects.toMatchObject({ httpStatus: 403 });
    expect([sent.includes('ping'), messages.length]).toEqual([false, 2]);
  });
});

describe('trouble with the stream for notices', () => {
  it('is told when an event is too long for it', async () => {
    const long = new Response(`data: ${'x'.repeat(200)}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    const { transport, reports } = await established({ GET: () => long }, { maxMessageBytes: 50 });
    await vi.waitFor(() => expect(reports[0]).toMatch(/^warn: the event stream was begun anew: the server sent an event of more than/), { interval: 1 });
    await transport.close();
  });

  it('is the end where nobody listens any more, without a ping', async () => {
    const { transport, sent } = await established({ GET: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) });
    expect(await transport.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('nobody listens') as unknown });
    expect(sent).not.toContain('ping');
  });

  it('is asked after by a ping where it is refused', async () => {
    const { transport, sent } = await established({ GET: () => new Response(null, { status: 500 }) });
    await vi.waitFor(() => expect(sent).toContain('ping'), { interval: 1 });
    await transport.close();
  });
});
