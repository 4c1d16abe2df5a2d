/**
 * One contract over every host. What only the embedded one does is in a group of its own: it mounts its own classes,
 * and it announces with an event of its own that a change has settled; the DeepSeek Harness' facts are in `tests/dsh`.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LocalAttachmentStore } from '../../src/host/attachment-store.ts';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import type { EmbeddedHost, HostedPlugin, HostLogRecord } from '../../src/host/embedded-host.ts';
import { StaticModelRoutes } from '../../src/host/model-routes.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import type { HostContext } from '../../src/host-services.ts';
import { contexts, embeddedHosts, hosts } from './cordis-versions.ts';
import { gate, listen, textValue, tool } from './sample-tools.ts';
import { attachmentStore, modelRoutes, registeredNames } from './services.ts';

/** Registers one tool, named by its config. */
const oneTool = {
  name: 'one-tool',
  inject: ['tools'],
  async apply(ctx: HostContext, config: { tool: string }): Promise<void> {
    await Promise.resolve();
    ctx.effect(() => ctx.tools.register(tool(config.tool, async () => textValue(config.tool))));
  },
} satisfies HostedPlugin;

const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);

beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', noteRejection);
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', noteRejection);
  expect(rejections).toEqual([]);
});

describe.each(hosts)('a host on %s', (_name, start) => {
  const logs: HostLogRecord[] = [];
  let host: EmbeddedHost;

  beforeEach(async () => {
    logs.length = 0;
    host = await start({ onLog: (record) => logs.push(record) });
  });
  afterEach(() => host.dispose());

  const names = (): string[] => host.tools.list().map(({ name }) => name);

  test('offers the registry of ctx.tools', () => {
    host.tools.register(tool('a', async () => textValue('x')));
    expect(registeredNames(host)).toEqual(['a']);
    expect(names()).toEqual(['a']);
  });

  test('loads one plugin twice with different configs, and unloads each alone', async () => {
    const first = await host.load(oneTool, { tool: 'a' });
    const second = await host.load(oneTool, { tool: 'b' });
    expect(names()).toEqual(['a', 'b']);
    await host.unload(first);
    expect(names()).toEqual(['b']);
    await host.unload(second);
    await host.unload(second);
    expect(names()).toEqual([]);
  });

  test('resolves a load only when the activation has settled', async () => {
    const resume = gate();
    const order: string[] = [];
    const loading = host
      .load({
        name: 'slow',
        apply: async () => {
          await resume.opened;
          order.push('activated');
        },
      })
      .then(() => order.push('loaded'));
    await host.load(oneTool, { tool: 'a' });
    order.push('other loaded');
    resume.open();
    await loading;
    expect(order).toEqual(['other loaded', 'activated', 'loaded']);
  });

  test('rejects a load with the very error of the activation, and takes back what it had started', async () => {
    const failure = new Error('no server');
    const load = host.load({
      name: 'fails',
      inject: ['tools'],
      async apply(ctx: HostContext) {
        ctx.effect(() => ctx.tools.register(tool('half', async () => textValue('x'))));
        await Promise.resolve();
        throw failure;
      },
    });
    await expect(load).rejects.toBe(failure);
    expect(names()).toEqual([]);
    expect(logs.some(({ level, message }) => level === 'error' && message.includes('no server'))).toBe(true);
    await host.load(oneTool, { tool: 'a' });
    expect(names()).toEqual(['a']);
  });

  test('rejects a load whose plugin throws at once', async () => {
    const failure = new Error('at once');
    const load = host.load({
      name: 'fails',
      apply: () => {
        throw failure;
      },
    });
    await expect(load).rejects.toBe(failure);
  });

  test('rejects a load whose service nobody provides', async () => {
    const load = host.load({ name: 'needy', inject: ['database'], apply: async () => undefined });
    await expect(load).rejects.toMatchObject({ code: 'plugin-waiting', message: expect.stringContaining('database') as unknown });
  });

  test('rejects what is no plugin', async () => {
    await expect(host.load(JSON.parse('{}'))).rejects.toMatchObject({ code: 'plugin-invalid' });
  });

  test('loads a plugin without a name, and calls it unnamed', async () => {
    const { pluginName } = await host.load({ apply: async () => undefined });
    expect(pluginName).toBe('unnamed');
    await expect(host.load({ inject: { database: { required: true } }, apply: async () => undefined })).rejects.toThrow(/"unnamed".*database/);
  });

  test('refuses to unload what it did not load', () => {
    expect(() => host.unload({ pluginName: 'other' })).toThrow('of another host');
  });

  test('waits for asynchronous disposers before an unload resolves', async () => {
    const closed = gate();
    const order: string[] = [];
    const handle = await host.load({
      name: 'closes-late',
      apply: async (ctx: HostContext) => {
        ctx.effect(() => async () => {
          await closed.opened;
          order.push('closed');
        });
      },
    });
    const unloading = host.unload(handle).then(() => order.push('unloaded'));
    await host.load(oneTool, { tool: 'a' });
    order.push('loaded another');
    closed.open();
    await unloading;
    expect(order).toEqual(['loaded another', 'closed', 'unloaded']);
  });

  test('logs a disposer that fails, and still unloads', async () => {
    const handle = await host.load({
      name: 'closes-badly',
      apply: async (ctx: HostContext) => {
        ctx.effect(() => () => Promise.reject(new Error('would not close')));
      },
    });
    await host.unload(handle);
    expect(logs.some(({ level, message }) => level === 'error' && message.includes('would not close'))).toBe(true);
  });

  test('passes on what a plugin logs, with level and name', async () => {
    const levels = ['error', 'warn', 'info', 'debug'] as const;
    await host.load({
      name: 'talks',
      apply: async (ctx: HostContext) => {
        for (const level of levels) ctx.logger?.('voice')[level](`a line of ${level}`);
      },
    });
    expect(logs.filter(({ name }) => name === 'voice')).toEqual(levels.map((level) => ({ level, name: 'voice', message: `a line of ${level}` })));
  });

  test('emits an event inside each change, and tells once when the job has ended', async () => {
    const events: string[] = [];
    const { tools } = host;
    await host.load({
      name: 'listens',
      apply: async (ctx: unknown) => listen(ctx, 'tools/change', () => void events.push('change')),
    });
    const { revision } = tools;
    tools.onChange(() => events.push('told'));
    tools.onSettled((now) => events.push(`${now - revision} settled`));
    tools.register(tool('a', async () => textValue('x')));
    const remove = tools.register(tool('b', async () => textValue('x')));
    expect([...events].toSorted((a, b) => a.localeCompare(b))).toEqual(['change', 'change', 'told', 'told']);
    await Promise.resolve();
    expect(events.slice(4)).toEqual(['2 settled']);
    remove();
    await Promise.resolve();
    expect(events.at(-1)).toBe('3 settled');
  });

  test('ends with everything unloaded, last first, and refuses to load more', async () => {
    const order: string[] = [];
    const noting = (label: string): HostedPlugin => ({
      name: label,
      apply: async (ctx: HostContext) => {
        ctx.effect(() => async () => {
          await Promise.resolve();
          order.push(label);
        });
      },
    });
    await host.load(noting('first'));
    await host.load(noting('second'));
    const tools = host.tools;
    await host.load(oneTool, { tool: 'a' });
    await host.dispose();
    await host.dispose();
    expect(order).toEqual(['second', 'first']);
    expect(tools.list()).toEqual([]);
    await expect(host.load(oneTool, { tool: 'b' })).rejects.toMatchObject({ code: 'host-disposed' });
  });

  test('mounts a store and routes where the config has them, and neither without', async () => {
    expect([host.ctx.get('attachments'), host.ctx.get('llm')]).toEqual([undefined, undefined]);
    const models = [{ provider: 'p', model: 'm', inputModalities: ['text', 'image'] }];
    const other = await start({ host: { attachments: { directory: 'unused', maxImages: 1 }, models } });
    expect(attachmentStore(other)).toBeDefined();
    await expect(modelRoutes(other).resolveModelInfo('p', 'm')).resolves.toMatchObject({ inputModalities: ['text', 'image'] });
    await expect(modelRoutes(other).resolveModelInfo('p', 'other')).rejects.toThrow();
    await other.dispose();
  });

  test('mounts a service of the caller until its handle is unloaded, and refuses a second one', async () => {
    const store = { saveImages: async () => [] };
    const handle = await host.provide('attachments', store);
    expect(host.ctx.get('attachments')).toBe(store);
    await expect(host.provide('attachments', {})).rejects.toThrow('attachments');
    await host.unload(handle);
    expect(host.ctx.get('attachments')).toBeUndefined();
    await host.provide('attachments', {});
  });

  test('refuses a config it does not know', async () => {
    await expect(start({ host: { colour: 'red' } as object })).rejects.toMatchObject({ code: 'host-config-invalid' });
  });

  test('logs a listener of the registry that throws, and registers all the same', async () => {
    host.tools.onChange(() => {
      throw new Error('a listener is broken');
    });
    host.tools.register(tool('a', async () => textValue('x')));
    expect(names()).toEqual(['a']);
    const told = logs.filter(({ message }) => message.includes('a listener is broken'));
    expect(told).toMatchObject([{ level: 'warn', message: 'a listener of the tool registry failed: a listener is broken' }]);
  });

  test('two hosts have two registries', async () => {
    const other = await start();
    await host.load(oneTool, { tool: 'a' });
    expect(other.tools.list()).toEqual([]);
    await other.dispose();
  });
});

describe.each(embeddedHosts)('only the embedded host, on %s,', (_name, start) => {
  let host: EmbeddedHost;

  beforeEach(async () => {
    host = await start();
  });
  afterEach(() => host.dispose());

  test('mounts its own registry as ctx.tools', () => {
    expect(host.tools).toBeInstanceOf(LocalToolRegistry);
    expect(host.ctx.get('tools')).toBe(host.tools);
  });

  test('emits an event of its own when the job has ended', async () => {
    const events: unknown[] = [];
    const { tools } = host;
    await host.load({
      name: 'listens',
      apply: async (ctx: unknown) => {
        listen(ctx, 'tools/change', () => void events.push('change'));
        listen(ctx, 'tools/settled', (revision) => void events.push(revision));
      },
    });
    tools.register(tool('a', async () => textValue('x')));
    tools.register(tool('b', async () => textValue('x')));
    expect(events).toEqual(['change', 'change']);
    await Promise.resolve();
    expect(events).toEqual(['change', 'change', 2]);
  });

  test('mounts its own store and routes', async () => {
    const other = await start({ host: { attachments: { directory: 'unused' }, models: [{ provider: 'p', model: 'm' }] } });
    expect(other.ctx.get('attachments')).toBeInstanceOf(LocalAttachmentStore);
    expect(other.ctx.get('llm')).toBeInstanceOf(StaticModelRoutes);
    await other.dispose();
  });
});

test('Cordis 3 gets the failure of a plugin in its own log where nobody else listens', async () => {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  try {
    const host = await startCordis3Host(contexts.cordis3);
    await expect(host.load({ name: 'fails', apply: () => Promise.reject(new Error('no server')) })).rejects.toThrow('no server');
    expect(printed.mock.calls.flat().filter((line) => /fails.*activation failed: no server/.test(String(line)))).toHaveLength(1);
    await host.dispose();
  } finally {
    printed.mockRestore();
  }
});

test.each([
  [true, ['[warn] voice: careful\n']],
  [false, []],
])('Cordis 4 prints its logs through the host plugin (printLogs: %s)', async (printLogs, lines) => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const host = await startCordis4Host(contexts.cordis4, { host: { printLogs } });
    host.ctx.logger?.('voice').warn('careful');
    expect(printed.mock.calls.map(([line]) => line)).toEqual(lines);
    await host.dispose();
  } finally {
    printed.mockRestore();
  }
});

describe.each(hosts.filter(([name]) => name !== 'cordis 3'))('policy events on %s', (_name, start) => {
  test('deny a call', async () => {
    const host = await start();
    await host.load(oneTool, { tool: 'a' });
    await host.load({
      name: 'guard',
      apply: async (ctx: unknown) => {
        listen(ctx, 'tools/pre-execute', async () => ({ kind: 'deny', reason: 'closed today' }));
      },
    });
    const result = await host.tools.execute({ callId: 'c', name: 'a', arguments: {}, signal: new AbortController().signal });
    expect(result).toMatchObject({ isError: true, error: { message: 'closed today' } });
    await host.dispose();
  });
});

test('each start refuses the Context of the other version', async () => {
  await expect(startCordis3Host(contexts.cordis4)).rejects.toMatchObject({ code: 'plugin-invalid' });
  await expect(startCordis4Host(contexts.cordis3)).rejects.toMatchObject({ code: 'plugin-invalid' });
});
