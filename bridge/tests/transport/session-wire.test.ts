import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { deferred } from '../../src/transport/deferred.ts';
import { bench, odd, request } from './wire-bench.ts';

describe('SessionWire', () => {
  it('counts errors that belong to no request, and reports a bounded number of them', async () => {
    const { wire, inner, reports } = await bench();
    for (let n = 0; n < 150; n += 1) inner.onmessage?.(odd({ id: n % 2 === 0 ? null : undefined, error: { code: -32_700, message: 'Parse error' } }));
    expect(wire.strays).toBe(150);
    expect(reports).toHaveLength(100);
    expect(reports[0]).toBe('warn: the server sent an error that belongs to no request: error -32700: Parse error');
  });

  it('takes initialize for an echo only while it waits for its answer, by its id', async () => {
    const { wire, inner, sent, delivered } = await bench();
    void wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
    inner.onmessage?.({ jsonrpc: '2.0', id: 7, method: 'initialize' });
    expect(sent.at(-1)).toMatchObject({ id: 7, error: { code: -32_601 } });
    inner.onmessage?.({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
    expect(sent).toHaveLength(2);
    expect(delivered).toMatchObject([{ id: 0, error: {} }]);
    expect(wire.takeLastSent()?.outcome).toEqual({ kind: 'echoed' });
  });

  it('holds a bounded number of answers for a server that does not read them', async () => {
    const { inner, sent, reports } = await bench(() => new Promise(() => {}));
    for (let id = 0; id < 21; id += 1) inner.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
    // Sixteen are being sent, two wait.
    expect(sent).toHaveLength(16);
    expect(reports).toHaveLength(3);
    expect(reports[0]).toContain('does not read');
  });

  it('answers every request of a server that reads, in order, and goes on when an answer cannot be sent', async () => {
    let fail = true;
    const { inner, sent } = await bench(() => {
      fail = !fail;
      return fail ? Promise.reject(new Error('no way')) : Promise.resolve();
    });
    for (let id = 0; id < 18; id += 1) inner.onmessage?.({ jsonrpc: '2.0', id, method: id === 3 ? 'odd' : 'ping' });
    await vi.waitFor(() => expect(sent).toHaveLength(18));
    expect(sent.map((message) => 'id' in message && message.id)).toEqual(Array.from({ length: 18 }, (_, id) => id));
    expect(sent[3]).toMatchObject({ error: { code: -32601 } });
  });

  it('leaves it to the library when a request that nobody waits for could not be sent', async () => {
    const { promise: failed, resolve: fail } = deferred<void>();
    const { wire } = await bench(async (message) => {
      if (!('id' in message)) return;
      await failed;
      throw new Error('late');
    });
    const sending = wire.send(request(4));
    const sent = wire.takeLastSent();
    expect(sent === undefined ? false : wire.abort(sent, 'enough')).toBe(true);
    fail();
    await expect(sending).rejects.toThrow('late');
    expect(sent).toMatchObject({ outcome: { kind: 'aborted' } });
  });

  it('keeps an answer to itself and gives the library a plain one', async () => {
    const { wire, inner, delivered } = await bench();
    await wire.send(request(4));
    const sent = wire.takeLastSent();
    inner.onmessage?.(odd({ id: 4, result: { _meta: 3 } }));
    expect(sent).toMatchObject({ outcome: { kind: 'result' }, result: { _meta: 3 } });
    expect(delivered).toEqual([{ jsonrpc: '2.0', id: 4, result: {} }]);
    void wire.send({ jsonrpc: '2.0', id: 5, method: 'initialize', params: {} });
    inner.onmessage?.(odd({ id: 5, result: 'raw' }));
    expect(delivered[1]).toEqual({ jsonrpc: '2.0', id: 5, result: { read: 'raw' } });
  });

  it.each([99, '04', '', null, true, [4], { valueOf: 4 }, undefined, 4.5, -4, Number.NaN])('drops an answer with the id %j', async (id) => {
    const { wire, inner, delivered } = await bench();
    await wire.send(request(0));
    await wire.send(request(4));
    inner.onmessage?.(odd({ id, result: {} }));
    expect(delivered).toEqual([]);
    expect(wire.pendingCount).toBe(2);
  });

  it('takes one answer for a request and drops a second', async () => {
    const { wire, inner, delivered } = await bench();
    await wire.send(request(4));
    for (const n of [1, 2]) inner.onmessage?.({ jsonrpc: '2.0', id: 4, result: { n } });
    expect(wire.takeLastSent()?.result).toEqual({ n: 1 });
    expect(delivered).toHaveLength(1);
  });

  it('clears the tables of a request that could not be sent', async () => {
    const { wire, delivered } = await bench(() => Promise.reject(new Error('no way')));
    await wire.send(request(1));
    expect(wire.takeLastSent()?.outcome).toMatchObject({ kind: 'send-failed' });
    expect(delivered).toMatchObject([{ id: 1, error: {} }]);
    expect(wire.pendingCount).toBe(0);
  });

  it('cancels a request once, and not at all when it was answered', async () => {
    const { wire, inner, sent } = await bench();
    await wire.send(request(1));
    const first = wire.takeLastSent();
    await wire.send(request(2));
    const second = wire.takeLastSent();
    inner.onmessage?.({ jsonrpc: '2.0', id: 2, result: {} });
    expect([first, first, second].map((one) => one !== undefined && wire.abort(one, 'why'))).toEqual([true, false, false]);
    expect(sent.slice(2)).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'why' } }]);
  });

  it('says that a request cannot be written, rather than that its sending failed', async () => {
    const { wire } = await bench((message) => Promise.resolve(void JSON.stringify(message)));
    await wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { n: 5n } });
    expect(wire.takeLastSent()?.outcome).toMatchObject({ kind: 'send-failed', error: { code: 'arguments-invalid', executed: 'no', message: 'its arguments cannot be written as JSON (Do not know how to serialize a BigInt)' } });
  });

  it('tells of a cancellation that could not be sent, and of nothing more', async () => {
    const { wire, reports } = await bench((message) => ('method' in message && message.method === 'notifications/cancelled' ? Promise.reject(new Error('no way')) : Promise.resolve()));
    await wire.send(request(1));
    const sent = wire.takeLastSent();
    expect(sent !== undefined && wire.abort(sent, 'why')).toBe(true);
    await vi.waitFor(() => expect(reports).toEqual(['a cancellation could not be sent: Error: no way']));
  });

  it('hands on what is neither a request nor a notification as it is, and waits for nothing', async () => {
    const { wire, sent } = await bench();
    const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 7, result: {} };
    await wire.send(answer);
    expect(sent).toEqual([answer]);
    expect(wire.pendingCount).toBe(0);
    expect(wire.takeLastSent()).toBeUndefined();
  });

  it.each([null, true, {}, 'x'.repeat(1_001)])('does not answer a request with the id %j, which no answer could carry', async (id) => {
    const { inner, sent } = await bench();
    inner.onmessage?.(odd({ id, method: 'ping' }));
    inner.onmessage?.(odd({ id: 'x'.repeat(1_000), method: 'ping' }));
    expect(sent).toHaveLength(1);
  });

  it('forgets a request that the library gave up, and drops its late answer', async () => {
    const { wire, inner, delivered } = await bench();
    await wire.send(request(1));
    await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'timeout' } });
    expect(wire.pendingCount).toBe(0);
    inner.onmessage?.({ jsonrpc: '2.0', id: 1, result: {} });
    expect(delivered).toEqual([]);
  });

  it('closes even when the transport under it fails to', async () => {
    const { wire, reports } = await bench();
    let closed = 0;
    Object.assign(wire, { onclose: () => (closed += 1) });
    await wire.close();
    await wire.close();
    expect(closed).toBe(1);
    expect(reports[0]).toContain('close failed');
  });
});
