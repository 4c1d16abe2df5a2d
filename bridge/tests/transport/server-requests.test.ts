/** Answers to what a server asks: what they say, and that none is held back or kept for longer than it has to be. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { deferred } from '../../src/transport/deferred.ts';
import { ServerRequests } from '../../src/transport/server-requests.ts';

function bench(send: () => Promise<void> = () => Promise.resolve()): { requests: ServerRequests; sent: JSONRPCMessage[]; reports: string[] } {
  const sent: JSONRPCMessage[] = [];
  const reports: string[] = [];
  const requests = new ServerRequests({
    send: (reply) => {
      sent.push(reply);
      return send();
    },
    maxWaitingReplies: 2,
    report: (message) => reports.push(message),
  });
  return { requests, sent, reports };
}

it('answers ping, and refuses everything else', () => {
  const { requests, sent } = bench();
  requests.answer('ping', 'a');
  requests.answer('roots/list', 7);
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 'a', result: {} },
    { jsonrpc: '2.0', id: 7, error: { code: -32_601, message: 'Method not found' } },
  ]);
});

it('goes on for as long as the server asks, also when an answer cannot be sent', async () => {
  const { requests, sent, reports } = bench(() => Promise.reject(new Error('no way')));
  for (let id = 0; id < 40; id += 1) {
    requests.answer('ping', id);
    await vi.waitFor(() => expect(reports).toHaveLength(id + 1), { interval: 1 });
  }
  expect(sent).toHaveLength(40);
  expect(reports[0]).toBe('an answer could not be sent: Error: no way');
});

it('says which request it drops, as far as that helps, and drops what waits at the end (B01)', async () => {
  const { promise: read, resolve: readAll } = deferred<void>();
  const { requests, sent, reports } = bench(() => read);
  for (let id = 0; id < 18; id += 1) requests.answer('ping', id);
  requests.answer('x'.repeat(101), 18);
  expect(reports).toEqual([`a request of the server (${'x'.repeat(100)}) was dropped: it does not read the answers`]);
  requests.end();
  readAll();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toHaveLength(16);
});
