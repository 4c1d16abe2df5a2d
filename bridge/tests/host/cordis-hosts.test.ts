/**
 * One contract over every host: how plugins are loaded and unloaded. What they find there is in `cordis-hosts-services`, what
 * is told of them in `cordis-hosts-logs`; the DeepSeek Harness' own facts are in `tests/dsh`.
 */
import Schema from 'schemastery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import type { EmbeddedHost, HostedPlugin, HostLogRecord } from '../../src/host/embedded-host.ts';
import type { HostContext } from '../../src/host-services.ts';
import { contexts, hosts } from './cordis-versions.ts';
import { refuseUnhandledRejections } from './rejections.ts';
import { oneTool } from './sample-plugins.ts';
import { gate, textValue, tool } from './sample-tools.ts';

refuseUnhandledRejections();

/** A plugin that does nothing until it ends. */
function ending(close: () => Promise<void>): HostedPlugin {
  return { apply: async (ctx: HostContext) => ctx.effect(() => close) };
}

describe.each(hosts)('a host on %s', (_name, start) => {
  const logs: HostLogRecord[] = [];
  let host: EmbeddedHost;

  beforeEach(async () => {
    logs.length = 0;
    host = await start({ onLog: (record) => logs.push(record) });
  });
  afterEach(() => host.dispose());

  const names = (): string[] => host.tools.list().map(({ name }) => name);

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

  test.each([[{}], [null], [undefined], ['text'], [{ apply: 'text' }], [Object.assign(() => undefined, { apply: () => undefined })]])('rejects %j, which is no plugin', async (plugin: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program without types may hand in
    await expect(host.load(plugin as HostedPlugin)).rejects.toMatchObject({
      code: 'plugin-invalid',
      message: 'the plugin has no function "apply"; import the module with "import * as plugin" and hand that in',
    });
  });

  test('hands a config on as the schema of the plugin reads it', async () => {
    const seen: unknown[] = [];
    const Config = Schema.object({ size: Schema.number().default(7) });
    const noting = (): HostedPlugin => ({ apply: async (_ctx, config) => void seen.push(config) });
    const plugin = { ...noting(), Config };
    await host.load(plugin, {});
    await host.load(noting(), { colour: 'red' });
    expect(seen).toEqual([{ size: 7 }, { colour: 'red' }]);
    await expect(host.load(plugin, { size: 'large' })).rejects.toThrow();
  });

  test('loads a plugin without a name, and calls it unnamed', async () => {
    const { pluginName } = await host.load({ apply: async () => undefined });
    expect(pluginName).toBe('unnamed');
    await expect(host.load({ inject: { database: { required: true } }, apply: async () => undefined })).rejects.toThrow(/"unnamed".*database/);
  });

  test('refuses to unload what it did not load', () => {
    expect(() => host.unload({ pluginName: 'other' })).toThrow(expect.objectContaining({ code: 'plugin-invalid', message: 'this handle is of another host' }));
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
    await expect(host.load(oneTool, { tool: 'b' })).rejects.toMatchObject({ code: 'host-disposed', message: 'this host was disposed; start another one' });
  });

  test('keeps its own services until everything else has ended, side by side', async () => {
    const [begun, closed] = [gate(), gate()];
    let services: unknown;
    // The one that is asked first waits for the other.
    await host.load(ending(async () => begun.open()));
    await host.load(ending(async () => {
      await begun.opened;
      await closed.opened;
      services = host.ctx.get('tools');
    }));
    const disposing = host.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    closed.open();
    await disposing;
    expect(services).toBeDefined();
    expect(host.ctx.get('tools')).toBeUndefined();
  });

  test('refuses a config it does not know', async () => {
    await expect(start({ host: { colour: 'red' } as object })).rejects.toMatchObject({ code: 'host-config-invalid' });
  });

  test('two hosts have two registries', async () => {
    const other = await start();
    await host.load(oneTool, { tool: 'a' });
    expect(other.tools.list()).toEqual([]);
    await other.dispose();
  });
});

test('each start refuses the Context of the other version', async () => {
  await expect(startCordis3Host(contexts.cordis4)).rejects.toMatchObject({ code: 'plugin-invalid', message: 'this is not the Context of Cordis 3; use startCordis4Host for Cordis 4' });
  await expect(startCordis4Host(contexts.cordis3)).rejects.toMatchObject({ code: 'plugin-invalid', message: 'this is not the Context of Cordis 4; use startCordis3Host for Cordis 3' });
});
