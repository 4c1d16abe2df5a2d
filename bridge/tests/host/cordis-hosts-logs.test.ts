/** Whom a host tells what its plugins log, and what goes wrong in it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CordisContext } from '../../src/host/cordis-context.ts';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import type { EmbeddedHost, HostLogRecord } from '../../src/host/embedded-host.ts';
import * as hostPlugin from '../../src/host/plugin.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import type { HostContext } from '../../src/host-services.ts';
import { contexts, hosts } from './cordis-versions.ts';
import { refuseUnhandledRejections } from './rejections.ts';
import { textValue, tool } from './sample-tools.ts';

refuseUnhandledRejections();

describe.each(hosts)('a host on %s', (_name, start) => {
  const logs: HostLogRecord[] = [];
  let host: EmbeddedHost;

  beforeEach(async () => {
    logs.length = 0;
    host = await start({ onLog: (record) => logs.push(record) });
  });
  afterEach(() => host.dispose());

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

  test('logs a listener of the registry that throws, and registers all the same', async () => {
    host.tools.onChange(() => {
      throw new Error('a listener is broken');
    });
    host.tools.register(tool('a', async () => textValue('x')));
    expect(host.tools.list().map(({ name }) => name)).toEqual(['a']);
    const told = logs.filter(({ message }) => message.includes('a listener is broken'));
    expect(told).toMatchObject([{ level: 'warn', message: 'a listener of the tool registry failed: a listener is broken' }]);
  });
});

test('Cordis 3 gets the failure of a plugin in its own log where nobody else listens', async () => {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  try {
    const host = await startCordis3Host(contexts.cordis3);
    const fails = {
      name: 'fails',
      apply: async (ctx: HostContext) => {
        ctx.logger?.('voice').warn('about to fail');
        throw new Error('no server');
      },
    };
    await expect(host.load(fails)).rejects.toThrow('no server');
    for (const line of [/voice.*about to fail/, /fails.*activation failed: no server/]) expect(printed.mock.calls.flat().filter((text) => line.test(String(text)))).toHaveLength(1);
    await host.dispose();
  } finally {
    printed.mockRestore();
  }
});

test('Cordis 3 tells which plugin would not end, in a word', async () => {
  const logs: HostLogRecord[] = [];
  const host = await startCordis3Host(contexts.cordis3, { onLog: (record) => logs.push(record) });
  const handle = await host.load({ name: 'sticks', apply: async (ctx: HostContext) => ctx.effect(() => () => Promise.reject(new Error('would not close'))) });
  await host.unload(handle);
  expect(logs).toEqual([{ level: 'error', name: 'sticks', message: 'disposal failed: would not close' }]);
  await host.dispose();
});

test.each([3, 4] as const)('a listener that throws disturbs nobody in a Cordis %i without a logger', async (version) => {
  const host = version === 3 ? await startCordis3Host(contexts.cordis3) : await startCordis4Host(contexts.cordis4);
  const mounted: unknown[] = [];
  const mount = { value: (_service: string, value: unknown) => mounted.push(value) };
  const mute: CordisContext = Object.create(host.ctx, { logger: { value: undefined }, provide: mount, set: mount });
  await hostPlugin.apply(mute);
  const [registry] = mounted;
  if (!(registry instanceof LocalToolRegistry)) throw new TypeError('the host plugin mounts a registry');
  registry.onChange(() => {
    throw new Error('a listener is broken');
  });
  registry.register(tool('a', async () => textValue('x')));
  expect(registry.list()).toHaveLength(1);
  await host.dispose();
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
