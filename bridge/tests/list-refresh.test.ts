import { describe, expect, it } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { ListRefresh } from '../src/list-refresh.ts';
import { createCoalescer } from '../src/refresh-coalescer.ts';
import { bridgeState } from '../src/state.ts';
import { ManualClock, settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig, type LoadedInstance } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer, MemorySession } from './helpers-logic/scripted-session.ts';

interface Started {
  readonly host: MemoryHost;
  readonly server: MemoryServer;
  readonly clock: ManualClock;
  readonly instance: LoadedInstance;
}

/** A ready server with one tool. */
async function started(config: Readonly<Record<string, unknown>> = {}): Promise<Started> {
  const [host, server, clock] = [new MemoryHost(), new MemoryServer(listedTool('a')), new ManualClock()];
  const instance = host.load(memoryConfig({ reconnect: {}, listChangeQuietMs: 100, listChangeMaxWaitMs: 500, ...config }), server, { clock });
  await instance.activated;
  server.tools = [listedTool('a'), listedTool('b')];
  return { host, server, clock, instance };
}

/** A connection that nothing is asked over. */
function openSession(): MemorySession {
  return new MemorySession(new MemoryServer(), { onToolListChanged: () => undefined, onDiagnostic: () => undefined });
}

const failing = new BridgeError('rpc-error', 'the list is not at hand', { rpcCode: -32603 });

describe('a refresh that fails by accident', () => {
  it('is repeated after a delay, without another notice, and says that all is well again (S27, S28, B02)', async () => {
    const { host, server, clock } = await started();
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    expect(host.lines('error')).toEqual(['[mcp-bridge] mem: the tool list could not be read again, the 1 tools of the last good one stay; it is asked for again in 500 ms: the list is not at hand (page 1 of the tool list)']);
    expect(host.names).toEqual(['mcp__mem__a']);
    server.listError = undefined;
    await clock.advance(499);
    expect(server.listings).toBe(2);
    await clock.advance(1_000);
    expect(host.names).toEqual(['mcp__mem__a', 'mcp__mem__b']);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready', toolCount: 2, lastError: undefined }]);
    expect(host.lines('error')).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it('is said to be over even if nothing changed', async () => {
    const { host, server, clock } = await started();
    server.tools = [listedTool('a')];
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    server.listError = undefined;
    await clock.advance(1_000);
    expect(host.lines('info').at(-1)).toBe('[mcp-bridge] mem: tool list read again, 1 tools, unchanged');
  });

  it('is repeated three times at most, until the server gives another notice (B01)', async () => {
    const { host, server, clock } = await started();
    server.listError = failing;
    server.session.notify();
    await clock.advance(600_000);
    expect(server.listings).toBe(1 + 1 + 3);
    expect(host.lines('error')).toHaveLength(2);
    expect(host.lines('error')[1]).toContain('stay; it is read again at the next list change: the list');
    expect(host.lines('debug').filter((line) => line.includes('asked for again'))).toHaveLength(2);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready', toolCount: 1, lastError: expect.stringContaining('not at hand') as unknown }]);
    server.session.notify();
    await clock.advance(3_000);
    server.listError = undefined;
    await clock.advance(3_000);
    expect(host.names).toEqual(['mcp__mem__a', 'mcp__mem__b']);
  });

  it.each<readonly [string, (started: Started) => Promise<void> | void]>([
    ['is disposed', ({ instance }) => instance.dispose()],
    ['loses its connection', ({ server }) => server.session.crash()],
  ])('is not repeated once the instance %s', async (_what, end) => {
    const all = await started();
    const { server, clock } = all;
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    const { listings } = server;
    expect(clock.waiting).toBe(1);
    server.connectError = failing;
    await end(all);
    await clock.advance(600_000);
    expect(server.listings).toBe(listings);
  });

  it('gives way to a notice that comes first, and begins to count again', async () => {
    const { host, server, clock } = await started();
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    server.session.notify();
    await clock.advance(400);
    expect(host.lines('error')).toHaveLength(2);
    expect(clock.waiting).toBe(1);
    await clock.advance(600_000);
    expect(server.listings).toBe(1 + 2 + 3);
  });
});

describe('a refresh that succeeds', () => {
  it('is a line of its own if the list is new, and one for debugging if not', async () => {
    const { host, server, clock } = await started();
    const told = host.logs.length;
    server.session.notify();
    await clock.advance(1_000);
    server.session.notify();
    await clock.advance(1_000);
    expect(host.logs.slice(told)).toEqual([
      { level: 'info', message: '[mcp-bridge] mem: tool list read again, 2 tools' },
      { level: 'debug', message: '[mcp-bridge] mem: tool list read again, 2 tools, unchanged' },
    ]);
  });

  it('says that all is well again once, not at the next look too', async () => {
    const { host, server, clock } = await started();
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    server.listError = undefined;
    await clock.advance(1_000);
    server.session.notify();
    await clock.advance(10_000);
    expect(host.lines('info').filter((line) => line.includes('read again'))).toEqual(['[mcp-bridge] mem: tool list read again, 2 tools']);
    expect(host.lines('debug').at(-1)).toBe('[mcp-bridge] mem: tool list read again, 2 tools, unchanged');
  });

  it('has nothing to take back after a recovery, whose list was the good one', async () => {
    const { host, server, clock } = await started();
    server.listError = failing;
    server.session.notify();
    await clock.advance(100);
    server.listError = undefined;
    server.session.crash();
    await clock.advance(10_000);
    server.session.notify();
    await clock.advance(10_000);
    expect(host.lines('info').filter((line) => line.includes('read again'))).toEqual([]);
    expect(host.lines('debug').at(-1)).toBe('[mcp-bridge] mem: tool list read again, 2 tools, unchanged');
  });
});

describe('a refresh that the end of the instance overtakes (S60)', () => {
  it('says nothing more when a change of its own swap ends it', async () => {
    const { host, server, clock, instance } = await started();
    let ending: Promise<void> | undefined;
    host.onChange = () => {
      ending ??= instance.dispose();
    };
    const told = host.logs.length;
    server.session.notify();
    await clock.advance(1_000);
    await ending;
    expect(ending).toBeDefined();
    expect(host.logs.slice(told)).toEqual([]);
  });

  it('is no failure when the end is announced while the server is still there', async () => {
    const { host, server, clock, instance } = await started();
    const held = server.holdListings();
    server.session.notify();
    await clock.advance(100);
    await held.reached;
    instance.cancel();
    await settle();
    expect(server.session.isOpen).toBe(true);
    expect(host.lines('error')).toEqual([]);
    expect(clock.waiting).toBe(0);
    held.release();
    await instance.dispose();
  });
});

it('has come to a stop when the refresh under way has ended, and begins none after it', async () => {
  const [clock, session] = [new ManualClock(), openSession()];
  const held = defer<void>();
  let begun = 0;
  const refresh = new ListRefresh({
    createCoalescer, quietMs: 100, maxWaitMs: 500, clock,
    policy: { enabled: true, initialDelayMs: 500, maxDelayMs: 500, maxAttempts: 1 },
    session: () => session,
    sync: async () => {
      begun += 1;
      await held.promise;
      return { changed: true, toolCount: 1, conflict: undefined };
    },
    toolCount: () => 1,
    show: () => undefined,
    log: () => undefined,
    signal: new AbortController().signal,
  });
  refresh.release();
  refresh.notice();
  await clock.advance(100);
  let isStopped = false;
  const stopping = refresh.stop().then(() => (isStopped = true));
  await settle();
  expect([begun, isStopped]).toEqual([1, false]);
  held.resolve();
  await stopping;
  refresh.release();
  refresh.notice();
  await clock.advance(10_000);
  expect([begun, clock.waiting]).toEqual([1, 0]);
});

it('shows no server as ready whose connection ends in the middle of the swap (B20)', async () => {
  const { host, server, clock } = await started();
  host.onChange = () => {
    server.session.isOpen = false;
  };
  const announced = host.states.length;
  server.session.notify();
  await clock.advance(1_000);
  expect(host.names).toEqual(['mcp__mem__a', 'mcp__mem__b']);
  expect(host.states).toHaveLength(announced);
});

describe('a refresh that fails for good', () => {
  it('is not repeated where the list is void, which only the server can change (S26)', async () => {
    const { host, server, clock } = await started();
    server.tools = [listedTool('b'), listedTool('b')];
    server.session.notify();
    await clock.advance(600_000);
    expect(server.listings).toBe(2);
    expect(host.lines('error')).toEqual([expect.stringContaining('stay; it is read again at the next list change: ')]);
  });

  it('is not repeated where reconnection is switched off', async () => {
    const { server, clock } = await started({ reconnect: { enabled: false } });
    server.listError = failing;
    server.session.notify();
    await clock.advance(600_000);
    expect(server.listings).toBe(2);
  });
});
