/** The bridge itself, with a real server, on every Cordis the embedded host runs on. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';
import * as bridge from '../../src/index.ts';
import { hosts } from './cordis-versions.ts';

const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const filesystem = (serverName: string) => ({ transport: 'stdio', serverName, command: process.execPath, args: [server, tmpdir()] });

describe.each(hosts)('the bridge on %s', (_name, start) => {
  let host: EmbeddedHost;

  beforeEach(async () => {
    host = await start({ onLog: () => undefined });
  });
  afterEach(() => host.dispose());

  test('registers, calls and unregisters two servers, each on its own', async () => {
    const first = await host.load(bridge, filesystem('one'));
    await host.load(bridge, filesystem('two'));
    expect(host.tools.list().length).toBe(28);
    const call = { callId: 'c', name: 'mcp__two__list_allowed_directories', arguments: {}, signal: new AbortController().signal };
    const result = await host.tools.execute(call);
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text', text: expect.stringContaining(tmpdir()) as unknown }] });
    await host.unload(first);
    expect(host.tools.list().length).toBe(14);
    expect(host.tools.list().every(({ name }) => name.startsWith('mcp__two__'))).toBe(true);
    await host.load(bridge, filesystem('one'));
    expect(host.tools.list().length).toBe(28);
  });

  test('ends side by side what was loaded: what takes long holds up nothing else (B19)', async () => {
    const waiting: (() => void)[] = [];
    const ended: string[] = [];
    const patient = (name: string) => ({
      name,
      inject: ['tools'],
      apply: async (ctx: object) => {
        if (!('effect' in ctx) || typeof ctx.effect !== 'function') throw new TypeError('no context');
        ctx.effect(() => async () => {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 3) for (const goOn of waiting) goOn();
          });
          ended.push(name);
        });
      },
    });
    const other = await start({ onLog: () => undefined });
    for (const name of ['one', 'two', 'three']) await other.load(patient(name));
    await other.dispose();
    expect(ended.toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('rejects a wrong config with the place and the fix', async () => {
    await expect(host.load(bridge, filesystem('not.legal'))).rejects.toThrow(/config\.serverName: .*1 to 32 letters/);
    expect(host.tools.list()).toEqual([]);
  });

  test('rejects a strict start with the bridge\'s own error, and frees the name', async () => {
    const broken = { ...filesystem('one'), command: '/nowhere/server', failOnStartupError: true };
    await expect(host.load(bridge, broken)).rejects.toMatchObject({ name: 'BridgeError', code: 'connect-failed' });
    await host.load(bridge, filesystem('one'));
    expect(host.tools.list().length).toBe(14);
  });

  test('rejects a second instance of one server name and leaves the first alone', async () => {
    await host.load(bridge, filesystem('one'));
    await expect(host.load(bridge, filesystem('one'))).rejects.toMatchObject({ code: 'server-name-taken' });
    expect(host.tools.list().length).toBe(14);
  });
});
