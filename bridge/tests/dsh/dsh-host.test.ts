/** What is the Harness' own in the host that is assembled from its packages. The common contract is in `tests/host`. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Cordis4Context } from '../../src/host/cordis-context.ts';
import { startDshHost, type DshHostOptions, type DshModules, type DshPackage } from '../../src/host/dsh-host.ts';
import type { EmbeddedHost, HostLogRecord } from '../../src/host/embedded-host.ts';
import { imageBytes } from '../images/samples.ts';
import { contexts, dshModules } from '../host/cordis-versions.ts';
import { textValue, tool } from '../host/sample-tools.ts';
import { attachmentStore, modelRoutes } from '../host/services.ts';

const started: EmbeddedHost[] = [];
const start = async (options?: DshHostOptions, modules: DshModules = dshModules): Promise<EmbeddedHost> => {
  const host = await startDshHost(modules, options);
  started.push(host);
  return host;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((host) => host.dispose()));
});

const call = (host: EmbeddedHost, name: string) => host.tools.execute({ callId: 'c', name, arguments: {}, signal: new AbortController().signal });

/** A module that mounts nothing. */
const EMPTY: DshPackage = { default: { name: 'empty', apply: async () => undefined } };

/** A module that mounts this as a service. */
function mounting(service: string, value: unknown): DshPackage {
  return { default: { name: 'odd', apply: async (ctx: Cordis4Context) => void ctx.provide(service, value) } };
}

describe('what is handed in', () => {
  test.each([
    ['no Cordis 4', { ...dshModules, cordis: { Context: contexts.cordis3 } }, {}, 'startCordis3Host'],
    ['a module that mounts no registry', { ...dshModules, tools: EMPTY }, {}, 'ctx.tools'],
    ['a module that mounts a registry of another kind', { ...dshModules, tools: mounting('tools', { register: () => undefined, schemas: () => [] }) }, {}, 'ctx.tools'],
    ['a module that mounts nothing as its registry', { ...dshModules, tools: mounting('tools', null) }, {}, 'ctx.tools'],
    ['a module that mounts nothing as its routes', { ...dshModules, llm: mounting('llm', null) }, { models: [{ provider: 'p', model: 'm' }] }, 'ctx.llm'],
    ['a module that mounts no routes', { ...dshModules, llm: EMPTY }, { models: [{ provider: 'p', model: 'm' }] }, 'ctx.llm'],
  ])('is refused with what to do: %s', async (_what, modules, host, expected) => {
    await expect(start({ host }, modules)).rejects.toMatchObject({ name: 'HostError', code: 'plugin-invalid', message: expect.stringContaining(expected) as unknown });
  });

  test.each([
    ['attachments', 'attachments', { attachments: { directory: 'unused' } }],
    ['llm', 'models', { models: [{ provider: 'p', model: 'm' }] }],
  ])('has to have the package "%s" where the config asks for %s', async (what, asked, host) => {
    const { cordis, systemPrompt, tools } = dshModules;
    await expect(start({ host }, { cordis, systemPrompt, tools })).rejects.toMatchObject({ code: 'host-config-invalid', message: `the config asks for ${asked}, and no package "${what}" of the DeepSeek Harness was handed in` });
  });

  test('waits for the prompt, without which the registry does not begin', async () => {
    const systemPrompt = { default: { name: 'no-prompt', apply: async () => undefined } };
    await expect(start({}, { ...dshModules, systemPrompt })).rejects.toMatchObject({ code: 'plugin-waiting', message: expect.stringContaining('systemPrompt') as unknown });
  });
});

describe('the Harness\' services', () => {
  test('the store keeps to its limits, and below the folder it is given', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'dsh-host-'));
    const host = await start({ host: { attachments: { directory, maxImageBytes: 10_000, maxImages: 1 } } });
    const image = { data: imageBytes('image/png', 'kept'), mediaType: 'image/png' };
    await expect(attachmentStore(host).saveImages([image, image])).rejects.toMatchObject({ code: 'TOO_MANY_IMAGES' });
    await expect(attachmentStore(host).saveImages([{ ...image, data: new Uint8Array(10_001) }])).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' });
    await expect(attachmentStore(host).saveImages([image])).resolves.toMatchObject([{ mediaType: 'image/png', bytes: image.data.byteLength }]);
    expect(await readdir(directory)).toEqual(['attachments']);
    await rm(directory, { recursive: true });
  });

  test('a route is found by provider and model, and nothing is advertised', async () => {
    const host = await start({ host: { models: [{ provider: 'p', model: 'm', inputModalities: ['text'] }, { provider: 'p', model: 'n' }] } });
    const routes = modelRoutes(host);
    await expect(routes.resolveModelInfo('p', 'm')).resolves.toEqual({ provider: 'p', id: 'm', name: 'm', inputModalities: ['text'] });
    await expect(routes.resolveModelInfo('p', 'n')).resolves.toEqual({ provider: 'p', id: 'n', name: 'n' });
    await expect(routes.resolveModelInfo('p', 'none')).rejects.toMatchObject({ code: 'route-unknown' });
    await expect(routes.resolveModelInfo('q', 'm')).rejects.toMatchObject({ code: 'NO_ADAPTER' });
    await expect(routes.resolveModelInfo('p', 'm', AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
    await expect(listModels(routes)).resolves.toEqual([]);
  });

  test('a listener of the settled registry that fails is logged, and the others hear of it', async () => {
    const logs: HostLogRecord[] = [];
    const host = await start({ onLog: (record) => logs.push(record) });
    host.tools.onSettled(() => {
      throw new Error('deaf');
    });
    const heard = vi.fn();
    host.tools.onSettled(heard);
    host.tools.register(tool('a', async () => textValue('x')));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(1));
    expect(logs).toContainEqual({ level: 'warn', name: 'dsh-host', message: 'a listener of the tool registry failed: deaf' });
  });
});

describe('the Harness\' registry, which the bridge has to get along with,', () => {
  test('tells nobody the code of an error that is not its own', async () => {
    const host = await start();
    host.tools.register(tool('a', () => Promise.reject(Object.assign(new Error('broken'), { code: 'tool-error' }))));
    expect(await call(host, 'a')).toEqual({ isError: true, error: { message: 'broken' }, content: [{ type: 'text', text: 'Error: broken' }] });
  });

  test('lets the first policy that has an opinion decide, on what the body gave', async () => {
    const host = await start();
    host.tools.register(tool('a', async () => textValue('x')));
    host.tools.use({ postExecute: () => undefined });
    host.tools.use({ postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'first' }] }) });
    const second = vi.fn();
    host.tools.use({ postExecute: second });
    expect(await call(host, 'a')).toMatchObject({ content: [{ type: 'text', text: 'first' }] });
    expect(second).not.toHaveBeenCalled();
  });

  test('refuses an output schema with words it does not enforce', async () => {
    const host = await start();
    const output = { schema: { type: 'array', prefixItems: [] }, render: () => [] };
    expect(() => host.tools.register(tool('a', async () => [], { output }))).toThrow('prefixItems');
  });

  test('registers and removes a tool again and again (B24)', async () => {
    const host = await start();
    for (let round = 0; round < 1_000; round += 1) host.tools.register(tool('a', async () => textValue('x')))();
    expect(host.tools.list()).toEqual([]);
    expect(host.tools.revision).toBe(2_000);
  });
});

function listModels(routes: object): Promise<unknown> {
  if (!('listModels' in routes) || typeof routes.listModels !== 'function') throw new TypeError('no ctx.llm');
  return Promise.resolve(routes.listModels('p'));
}
