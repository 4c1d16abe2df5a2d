/**
 * What a host offers the plugins in it: registry, store, routes, policies. What only the embedded one does is in a group of
 * its own: it mounts its own classes, and announces with an event of its own that a change has settled.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalAttachmentStore } from '../../src/host/attachment-store.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import { StaticModelRoutes } from '../../src/host/model-routes.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { embeddedHosts, hosts } from './cordis-versions.ts';
import { refuseUnhandledRejections } from './rejections.ts';
import { call } from './sample-calls.ts';
import { oneTool } from './sample-plugins.ts';
import { listen, textValue, tool } from './sample-tools.ts';
import { attachmentStore, modelRoutes, registeredNames } from './services.ts';

refuseUnhandledRejections();

describe.each(hosts)('a host on %s', (_name, start) => {
  let host: EmbeddedHost;

  beforeEach(async () => {
    host = await start();
  });
  afterEach(() => host.dispose());

  test('offers the registry of ctx.tools', () => {
    host.tools.register(tool('a', async () => textValue('x')));
    expect(registeredNames(host)).toEqual(['a']);
    expect(host.tools.list().map(({ name }) => name)).toEqual(['a']);
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
    expect(handle.pluginName).toBe('service-attachments');
    expect(host.ctx.get('attachments')).toBe(store);
    await expect(host.provide('attachments', {})).rejects.toThrow('attachments');
    await host.unload(handle);
    expect(host.ctx.get('attachments')).toBeUndefined();
    await host.provide('attachments', {});
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

test.each(hosts)('a policy on %s that lets a call pass leaves the word to the next one', async (_name, start) => {
  const host = await start();
  await host.load(oneTool, { tool: 'a' });
  host.tools.use({ preExecute: () => ({ kind: 'allow' }) });
  host.tools.use({ preExecute: () => ({ kind: 'deny', reason: 'closed today' }) });
  expect(await host.tools.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'closed today' } });
  await host.dispose();
});

describe.each(hosts.filter(([name]) => name !== 'cordis 3'))('policy events on %s', (_name, start) => {
  test('ask those behind them, who have nothing to say in the end, and may change what the model sees', async () => {
    const host = await start();
    await host.load(oneTool, { tool: 'a' });
    const heard: unknown[] = [];
    await host.load({
      name: 'editor',
      apply: async (ctx: unknown) => {
        listen(ctx, 'tools/pre-execute', async (_exec, next) => hear(next));
        listen(ctx, 'tools/post-execute', async (_exec, _result, next) => {
          await hear(next);
          return { kind: 'accept', content: [{ type: 'text', text: 'edited' }] };
        });
      },
    });
    const hear = async (next: unknown): Promise<unknown> => {
      const decision: unknown = typeof next === 'function' ? await next() : undefined;
      heard.push(decision);
      return decision;
    };
    expect(await host.tools.execute(call('a'))).toMatchObject({ isError: false, content: [{ type: 'text', text: 'edited' }] });
    expect(heard).toEqual([{ kind: 'allow' }, { kind: 'accept' }]);
    await host.dispose();
  });

  test('deny a call', async () => {
    const host = await start();
    await host.load(oneTool, { tool: 'a' });
    await host.load({
      name: 'guard',
      apply: async (ctx: unknown) => {
        listen(ctx, 'tools/pre-execute', async () => ({ kind: 'deny', reason: 'closed today' }));
      },
    });
    const result = await host.tools.execute(call('a'));
    expect(result).toMatchObject({ isError: true, error: { message: 'closed today' } });
    await host.dispose();
  });
});
