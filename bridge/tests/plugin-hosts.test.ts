/** The plugin in the hands of a bare Cordis of each version: what the embedded host would smooth over is seen here. */
import { Context as DeepseekContext } from '@deepseek-ai/cordis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isCordis3, isCordis4, type Cordis3Context, type Cordis4Context, type CordisContext, type CordisContextClass } from '../src/host/cordis-context.ts';
import * as hostPlugin from '../src/host/plugin.ts';
import type { LocalToolRegistry } from '../src/host/tool-registry.ts';
import * as entry from '../src/index.ts';
import { bridgeState, createBridgePlugin, STATE_EVENT, whenDisposed, type BridgePlugin, type ServerState } from '../src/internal.ts';
import { contexts } from './host/cordis-versions.ts';
import { memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

interface WithEvents {
  on(event: string, listener: (state: ServerState) => void): unknown;
}

interface Bare<Context> {
  readonly ctx: Context & WithEvents;
  /** Public names, in registry order. */
  readonly names: () => string[];
}

/** Mounts `ctx.tools` on a bare context. */
async function withTools<Context extends CordisContext>(ctx: Context): Promise<Bare<Context>> {
  ctx.plugin(hostPlugin, {});
  await vi.waitFor(() => expect(ctx.tools).toBeTruthy());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was mounted above, and what every Cordis has
  const known = ctx as Context & WithEvents & { readonly tools: LocalToolRegistry };
  return { ctx: known, names: () => known.tools.list().map((tool) => tool.name) };
}

function bareCordis3(): Promise<Bare<Cordis3Context>> {
  const ctx = new contexts.cordis3();
  if (!isCordis3(ctx)) throw new Error('this is no Cordis 3');
  return withTools(ctx);
}

function bareCordis4(ContextClass: CordisContextClass): Promise<Bare<Cordis4Context>> {
  const ctx = new ContextClass();
  if (!isCordis4(ctx)) throw new Error('this is no Cordis 4');
  return withTools(ctx);
}

function pluginFor(server: MemoryServer): BridgePlugin {
  return createBridgePlugin({ openSession: server.open });
}

describe('the entry', () => {
  it('has the named exports of a namespace plugin and no default export (S10)', () => {
    expect(Object.keys(entry).toSorted()).toEqual(['Config', 'apply', 'inject', 'name', 'reusable']);
    expect(entry.inject).toEqual(['tools']);
    expect(entry.apply).not.toHaveProperty('prototype');
  });
});

describe('Cordis 3', () => {
  let server: MemoryServer;

  beforeEach(() => {
    server = new MemoryServer(listedTool('a'));
  });

  it('loads the same package any number of times, each with a config of its own (S11)', async () => {
    const { ctx, names } = await bareCordis3();
    const states: string[] = [];
    ctx.on(STATE_EVENT, (state) => states.push(`${state.serverName} ${state.state}`));
    const plugin = pluginFor(server);
    ctx.plugin(plugin, memoryConfig({ serverName: 'one' }));
    ctx.plugin(plugin, memoryConfig({ serverName: 'two' }));
    await vi.waitFor(() => expect(names()).toEqual(['mcp__one__a', 'mcp__two__a']));
    expect(states).toEqual(expect.arrayContaining(['one ready', 'two ready']));
  });

  it('reports a wrong config once and goes on with the others (S09)', async () => {
    const { ctx, names } = await bareCordis3();
    const errors: unknown[] = [];
    ctx.on('internal/error', (error) => errors.push(error));
    const plugin = pluginFor(server);
    ctx.plugin(plugin, memoryConfig({ serverName: 'not.legal' }));
    ctx.plugin(plugin, memoryConfig({ serverName: 'two' }));
    await vi.waitFor(() => expect(names()).toEqual(['mcp__two__a']));
    ctx.plugin(plugin, memoryConfig({ serverName: 'three', connectTimeoutMs: 0 }));
    expect(errors).toMatchObject([
      { code: 'config-invalid', message: expect.stringContaining('mcp-bridge config.serverName: is "not.legal"') as unknown },
      { code: 'config-invalid', message: expect.stringContaining('mcp-bridge "three" config.connectTimeoutMs: ') as unknown },
    ]);
  });

  it('starts the new instance of a reload only after the old server is gone (S08, S61)', async () => {
    const { ctx, names } = await bareCordis3();
    const plugin = pluginFor(server);
    const fork = ctx.plugin(plugin, memoryConfig());
    await vi.waitFor(() => expect(names()).toEqual(['mcp__mem__a']));
    const leaving = defer<void>();
    server.session.closing = leaving.promise;
    fork.dispose();
    expect(names()).toEqual([]);
    ctx.plugin(plugin, memoryConfig());
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(server.sessions).toHaveLength(1);
    leaving.resolve();
    await vi.waitFor(() => expect(names()).toEqual(['mcp__mem__a']));
    expect(server.sessions).toHaveLength(2);
    expect(bridgeState(ctx.root)).toMatchObject([{ state: 'ready' }]);
  });

  it('has a door to wait for what Cordis 3 does not wait for (S60)', async () => {
    const { ctx, names } = await bareCordis3();
    const fork = ctx.plugin(pluginFor(server), memoryConfig());
    await vi.waitFor(() => expect(names()).toHaveLength(1));
    fork.dispose();
    await whenDisposed(ctx.root, 'mem');
    expect(server.session.closeCalls).toBe(1);
    expect(bridgeState(ctx.root)).toEqual([]);
  });
});

describe.each([
  ['cordis 4', contexts.cordis4],
  ['@deepseek-ai/cordis 4', DeepseekContext],
])('%s', (_name, ContextClass) => {
  let server: MemoryServer;
  let ctx: Cordis4Context & WithEvents;
  let names: () => string[];

  beforeEach(async () => {
    server = new MemoryServer(listedTool('a'));
    ({ ctx, names } = await bareCordis4(ContextClass));
  });

  afterEach(async () => {
    await whenDisposed(ctx.root);
  });

  it('has the tools when activation has settled, and nothing when disposal has (S12, S60)', async () => {
    const states: string[] = [];
    ctx.on(STATE_EVENT, (state: ServerState) => states.push(state.state));
    const fiber = ctx.plugin(pluginFor(server), memoryConfig());
    await fiber.await();
    expect(names()).toEqual(['mcp__mem__a']);
    await fiber.dispose();
    expect(names()).toEqual([]);
    expect(server.session.closeCalls).toBe(1);
    expect(bridgeState(ctx.root)).toEqual([]);
    expect(states).toEqual(['connecting', 'ready', 'disposed', 'disposed']);
  });

  it('does not make a disposal wait for a connection that never comes about (S60)', async () => {
    const begun = defer<void>();
    const plugin = createBridgePlugin({
      openSession: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('given up')));
          begun.resolve();
        }),
    });
    const fiber = ctx.plugin(plugin, memoryConfig());
    await begun.promise;
    await fiber.dispose();
    expect(bridgeState(ctx.root)).toEqual([]);
  });

  it('goes on with one server when another one is disposed (B19)', async () => {
    const other = ctx.plugin(pluginFor(new MemoryServer()), memoryConfig({ serverName: 'other' }));
    const fiber = ctx.plugin(pluginFor(server), memoryConfig());
    await Promise.all([other.await(), fiber.await()]);
    await other.dispose();
    server.tools = [listedTool('b')];
    server.session.notify();
    await vi.waitFor(() => expect(names()).toEqual(['mcp__mem__b']));
    expect(bridgeState(ctx.root)).toMatchObject([{ serverName: 'mem', state: 'ready' }]);
  });

  it('rejects a wrong config with one message that says the place and the fix (S09)', async () => {
    const fiber = ctx.plugin(pluginFor(server), memoryConfig({ reconnect: { tries: 1 } }));
    await expect(fiber.await()).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringMatching(/^mcp-bridge "mem" config\.reconnect\.tries: is no option; the options are enabled, initialDelayMs/) as unknown });
    expect(names()).toEqual([]);
  });

  it('takes back everything of a strict activation that fails (S06)', async () => {
    server.listError = new Error('broken');
    await expect(ctx.plugin(pluginFor(server), memoryConfig({ failOnStartupError: true })).await()).rejects.toMatchObject({ code: 'discovery-failed' });
    expect(bridgeState(ctx.root)).toEqual([]);
    server.listError = undefined;
    await ctx.plugin(pluginFor(server), memoryConfig()).await();
    expect(names()).toEqual(['mcp__mem__a']);
  });
});
