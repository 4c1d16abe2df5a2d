import { describe, expect, it } from 'vitest';
import { buildChildEnv } from '../src/child-env.ts';
import type { OpenedSession, OpenSessionOptions } from '../src/client-session.ts';
import { bridgeState } from '../src/state.ts';
import { readProxySettings } from '../src/transport/proxy-settings.ts';
import { ManualClock, settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

const HTTP = { transport: 'streamable-http', command: undefined, url: 'http://127.0.0.1:9/mcp' };
const TOOL = 'mcp__mem__a';

/** A definition as a program without types may call it. */
interface LooselyCalled {
  execute(args: unknown, exec?: object): Promise<unknown>;
}

describe('an instance', () => {
  it('logs what is odd about its config, by name and without values (B18)', async () => {
    const host = new MemoryHost();
    await host.load(memoryConfig({ colour: 'canary' }), new MemoryServer()).activated;
    expect(host.lines('warn')).toEqual(['[mcp-bridge] mem: config: "colour" is no option and is ignored']);
  });

  it('leaves without a word when it is disposed while it waits for its name (S08, S60)', async () => {
    const host = new MemoryHost();
    const server = new MemoryServer(listedTool('a'));
    const first = host.load(memoryConfig(), server);
    await first.activated;
    const gate = defer<void>();
    server.session.closing = gate.promise;
    const ending = first.dispose();
    const before = [host.logs.length, host.states.length];
    const second = host.load(memoryConfig(), server);
    await settle();
    await Promise.all([second.dispose(), second.activated]);
    expect([host.logs.length, host.states.length]).toEqual(before);
    gate.resolve();
    await ending;
    expect(server.sessions).toHaveLength(1);
    expect(bridgeState(host.root)).toEqual([]);
    await host.load(memoryConfig(), server).activated;
    expect(host.names).toEqual([TOOL]);
  });

  it('goes on when a listener of its states throws, and says so (B19, B20)', async () => {
    const host = new MemoryHost();
    host.onState = () => {
      throw new Error('a listener is broken');
    };
    await host.load(memoryConfig(), new MemoryServer(listedTool('a'))).activated;
    expect(host.names).toEqual([TOOL]);
    expect(host.lines('warn')).toContain('[mcp-bridge] mem: a listener of mcp-bridge/state failed: a listener is broken');
  });

  it('runs a call of a program that hands over no execution', async () => {
    const host = new MemoryHost();
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server).activated;
    const definition: LooselyCalled = host.tool(TOOL);
    const result = { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] };
    server.onCall = () => result;
    expect(await definition.execute({})).toEqual(result);
    expect(await definition.execute({}, {})).toEqual(result);
  });
});

describe('a connection', () => {
  it('is opened with the environment rule of the bridge and the proxies of the time of loading (S07, S51, B29)', async () => {
    const [host, server, clock] = [new MemoryHost(), new MemoryServer(), new ManualClock()];
    const given: OpenSessionOptions[] = [];
    const openSession = (options: OpenSessionOptions): Promise<OpenedSession> => {
      given.push(options);
      return server.open(options);
    };
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:3128';
    const proxy = readProxySettings(process.env);
    try {
      await host.load(memoryConfig({ reconnect: {} }), server, { openSession, clock }).activated;
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    }
    server.session.crash();
    await clock.advance(1_000);
    expect(given).toHaveLength(2);
    for (const { effects } of given) expect(effects).toEqual({ buildEnv: buildChildEnv, proxy });
  });

  it.each<readonly [string, object, object, number]>([
    ['over HTTP from a server that announces list changes is read once more (B02)', HTTP, { tools: { listChanged: true } }, 2],
    ['over HTTP from a server that announces none is read once', HTTP, { tools: {} }, 1],
    ['over stdio is read once', {}, { tools: { listChanged: true } }, 1],
  ])('whose list comes %s', async (_what, target, capabilities, listings) => {
    const [host, server, clock] = [new MemoryHost(), new MemoryServer(listedTool('a')), new ManualClock()];
    await host.load({ ...memoryConfig(), ...target }, server, {
      clock,
      openSession: async (options) => {
        const session = await server.open(options);
        Object.assign(session.server.capabilities, capabilities);
        return session;
      },
    }).activated;
    await clock.advance(10_000);
    expect(server.listings).toBe(listings);
  });
});

describe('a refresh', () => {
  it('that meets a foreign tool says so once, keeps the connection, and the next clean one restores the tools (S32)', async () => {
    const host = new MemoryHost();
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server).activated;
    const removeForeign = host.registerForeign('mcp__mem__b');
    server.tools = [listedTool('a'), listedTool('b')];
    server.session.notify();
    await host.until(() => host.states.at(-1)?.lastError !== undefined);
    expect(host.names).toEqual(['mcp__mem__b']);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready', toolCount: 0, lastError: expect.stringContaining('mcp__mem__b') as unknown }]);
    expect(host.lines('error')).toHaveLength(1);
    expect(host.lines('info').filter((line) => line.includes('read again'))).toEqual([]);
    removeForeign();
    server.session.notify();
    await host.until(() => host.states.at(-1)?.lastError === undefined);
    expect(host.names).toEqual([TOOL, 'mcp__mem__b']);
    expect(server.sessions).toHaveLength(1);
  });

  it('reads nothing over a connection that has ended, told or not', async () => {
    const host = new MemoryHost();
    const server = new MemoryServer(listedTool('a'));
    let refresh: (() => Promise<unknown>) | undefined;
    await host.load(memoryConfig(), server, {
      createCoalescer: (options) => {
        refresh = options.refresh;
        return { notice: () => undefined, release: () => undefined, hold: () => undefined, stop: () => Promise.resolve() };
      },
    }).activated;
    server.session.isOpen = false;
    expect(await refresh?.()).toBe(false);
    expect(host.lines('error')).toEqual([]);
    server.session.crash();
    await settle();
    const { length } = host.logs;
    expect(await refresh?.()).toBe(false);
    expect(server.listings).toBe(1);
    expect(host.logs).toHaveLength(length);
  });
});
