/** What a wire hands on, what it takes for progress or for its own, and that nobody has to listen to it. */
import { expect, it } from 'vitest';
import { bench, odd, request } from './wire-bench.ts';

it('hands on the errors and the end of its transport, and the revision to it', async () => {
  const { wire, inner } = await bench();
  const told: string[] = [];
  Object.assign(inner, { setProtocolVersion: (version: string) => told.push(version) });
  inner.onerror?.(new Error('nobody listens'));
  Object.assign(wire, { onerror: ({ message }: Error) => told.push(message), onclose: () => told.push('end') });
  wire.setProtocolVersion('2025-11-25');
  inner.onerror?.(new Error('odd'));
  inner.onclose?.();
  inner.onclose?.();
  expect(told).toEqual(['2025-11-25', 'odd', 'end']);
  expect(wire.ended).toBe(true);
});

it('needs nobody who listens, and no transport that knows revisions', async () => {
  const { wire, inner } = await bench();
  Object.assign(wire, { onmessage: undefined });
  wire.setProtocolVersion('2025-11-25');
  await wire.send(request(1));
  await wire.send(request(2));
  inner.onmessage?.({ jsonrpc: '2.0', id: 1, result: {} });
  inner.onmessage?.({ jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } });
  expect(wire.pendingCount).toBe(0);
  wire.end();
  expect(wire.ended).toBe(true);
});

it('tells of progress for as long as somebody waits for it, by its token alone (B11)', async () => {
  const { wire, inner } = await bench();
  let progress = 0;
  const end = wire.watchProgress(7, () => (progress += 1));
  const notify = (params: unknown, method = 'notifications/progress'): void => inner.onmessage?.(odd({ method, params }));
  for (const params of [{ progressToken: 7 }, { progressToken: 8 }, {}, undefined, null, 'progressToken']) notify(params);
  notify({ progressToken: 7 }, 'notifications/message');
  expect(progress).toBe(1);
  end();
  notify({ progressToken: 7 });
  expect(progress).toBe(1);
});

it('takes a request of the server with the id of one of ours for a request', async () => {
  const { wire, inner, sent } = await bench();
  await wire.send(request(4));
  inner.onmessage?.({ jsonrpc: '2.0', id: 4, method: 'ping' });
  expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 4, result: {} });
  expect(wire.pendingCount).toBe(1);
});

it('counts no late answer among the errors that belong to no request', async () => {
  const { wire, inner } = await bench();
  inner.onmessage?.({ jsonrpc: '2.0', id: 4, error: { code: 1, message: 'late' } });
  expect(wire.strays).toBe(0);
});

it('forgets a request for a cancellation alone, and takes one that names none', async () => {
  const { wire } = await bench();
  await wire.send(request(1));
  await wire.send({ jsonrpc: '2.0', method: 'notifications/other', params: { requestId: 1 } });
  await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled' });
  expect(wire.pendingCount).toBe(1);
});

it('says how many of its reports were left out, of whatever it was', async () => {
  const { inner, reports, nextSecond } = await bench(() => new Promise(() => {}));
  for (let id = 0; id < 18 + 60; id += 1) inner.onmessage?.({ jsonrpc: '2.0', id, method: 'ping' });
  for (let n = 0; n < 60; n += 1) inner.onmessage?.(odd({ error: 'odd' }));
  expect(reports).toHaveLength(100);
  nextSecond();
  inner.onmessage?.(odd({ error: 'odd' }));
  expect(reports[100]).toBe('20 more protocol reports were left out');
});
