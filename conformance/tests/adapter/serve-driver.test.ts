import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createInterface, type Interface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { AdapterError } from '../../src/adapter/bridge-adapter.ts';
import type { PartialAdapter } from '../../src/adapter/complete-adapter.ts';
import { serveDriver } from '../../src/adapter/driver.ts';
import { outOfProcess } from '../../src/adapter/out-of-process.ts';
import { fakeAdapter, never } from '../support/fake-adapter.ts';

interface Served {
  /** Sends lines and returns as many replies. */
  ask(...lines: readonly (string | object)[]): Promise<unknown[]>;
  /** Ends the input; settles when the driver ended. */
  end(): Promise<void>;
}

function serve(adapter: PartialAdapter): Served {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const ended = serveDriver(adapter, { streams });
  const replies: Interface = createInterface({ input: streams.output });
  return {
    ask: (...lines) => new Promise((resolve) => {
      const got: unknown[] = [];
      const take = (line: string): void => {
        got.push(JSON.parse(line));
        if (got.length < lines.length) return;
        replies.off('line', take);
        resolve(got);
      };
      replies.on('line', take);
      for (const line of lines) streams.input.write(`${typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
    }),
    end: () => {
      streams.input.end();
      return ended;
    },
  };
}

describe('serveDriver', () => {
  it('answers each request when its answer is there, not in the order in which they came', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const driver = serve({ ...fakeAdapter(), tools: async () => (await held, { revision: 1, tools: [] }), state: async () => (release?.(), { servers: [] }) });
    const replies = await driver.ask({ id: 1, method: 'tools' }, { id: 2, method: 'state' });
    expect(replies).toMatchObject([{ id: 2, result: { servers: [] } }, { id: 1, result: { revision: 1 } }]);
    await driver.end();
  });

  it('tells what the adapter tells', async () => {
    const driver = serve({
      ...fakeAdapter(), onNotification: (listener) => {
        queueMicrotask(() => listener({ type: 'log', level: 'info', message: 'hello' }));
        return () => undefined;
      },
    });
    expect(await driver.ask('{"jsonrpc":"2.0","id":1,"method":"close"}', '')).toEqual([
      { jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'hello' } }, { jsonrpc: '2.0', id: 1, result: {} },
    ]);
    await driver.end();
  });

  it.each<[string, string | object, object]>([
    ['a line that is no JSON', 'hello', { id: null, error: { code: -32700 } }],
    ['a line that is no request', '{"jsonrpc":"2.0","method":5}', { id: null, error: { code: -32600 } }],
    ['a method that no driver has', { id: 1, method: 'sing' }, { id: 1, error: { code: -32601, message: 'no method "sing"' } }],
    ['parameters that do not fit', { id: 1, method: 'remove', params: {} }, { id: 1, error: { code: -32602, message: expect.stringMatching(/^name: /) } }],
    ['what the adapter does not have', { id: 1, method: 'gate', params: { gate: 'store', action: 'hold' } }, { id: 1, error: { code: -32601 } }],
    ['what the adapter throws', { id: 1, method: 'state' }, { id: 1, error: { code: -32603, message: 'slipped' } }],
    ['what is no JSON', { id: 1, method: 'call', params: { callId: 'c', name: 'n', arguments: {} } }, { id: 1, error: { code: -32603, message: expect.stringMatching(/BigInt/) } }],
  ])('refuses %s', async (_what, line, refusal) => {
    const driver = serve({
      ...fakeAdapter(),
      gate: () => Promise.reject(new AdapterError('unsupported', 'no gate')), state: () => Promise.reject(new Error('slipped')),
      call: async () => ({ outcome: 'ok', executed: 'yes', view: [], value: 1n }),
    });
    expect(await driver.ask(line)).toMatchObject([refusal]);
    await driver.end();
  });

  it('closes the adapter when the input ends, whatever still runs', async () => {
    let closed = false;
    const driver = serve({ ...fakeAdapter(), call: () => never(), close: async () => void (closed = true) });
    await driver.ask({ id: 1, method: 'tools' });
    void driver.ask({ id: 2, method: 'call', params: { callId: 'c', name: 'n', arguments: {} } });
    await driver.end();
    expect(closed).toBe(true);
  });

  it('is refused when it is given no adapter', async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    await expect(serveDriver({ ...fakeAdapter(), tools: JSON.parse('null') }, { streams })).rejects.toMatchObject({ code: 'misuse' });
  });

  it('in a process of its own keeps stray output out of the protocol, and ends in order on SIGTERM', async () => {
    const driver = outOfProcess({ command: process.execPath, args: [fileURLToPath(new URL('../drivers/chatty-driver.mjs', import.meta.url))] });
    await driver.describe();
    await driver.open({ servers: [] });
    const gone = driver.call({ callId: 'c', name: 'terminate', arguments: {} });
    await expect(gone).rejects.toMatchObject({ code: 'driver-exited', message: expect.stringMatching(/exited with code 0, with "call" unanswered; .*\nopening\nclosing$/s) });
  });
});
