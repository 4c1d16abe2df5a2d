/** Whom a host tells what its plugins log, and what goes wrong in it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import type { EmbeddedHost, HostLogRecord } from '../../src/host/embedded-host.ts';
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
