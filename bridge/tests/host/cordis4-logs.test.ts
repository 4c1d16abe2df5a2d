import { Context } from '@deepseek-ai/cordis';
import { describe, expect, test, vi } from 'vitest';
import { isCordis3, isCordis4, type Cordis4Context } from '../../src/host/cordis-context.ts';
import { exportLogs, printLogs } from '../../src/host/cordis4-logs.ts';
import type { HostLogRecord } from '../../src/host/embedded-host.ts';
import { contexts } from './cordis-versions.ts';

function fresh(): Cordis4Context {
  const ctx = new Context();
  if (!isCordis4(ctx)) throw new TypeError('that is no Cordis 4');
  return ctx;
}

/** Logs anything, as plugins that are not the bridge's do. */
function log(ctx: Cordis4Context, ...args: readonly unknown[]): void {
  const logger: unknown = ctx.logger?.('voice');
  if (typeof logger !== 'object' || logger === null || !('warn' in logger) || typeof logger.warn !== 'function') throw new TypeError('no logger');
  logger.warn(...args);
}

describe('the logs of Cordis 4', () => {
  test('are printed from the first line on, debug lines apart', () => {
    const ctx = fresh();
    const lines: string[] = [];
    ctx.logger?.('voice').info('before');
    printLogs(ctx, (line) => lines.push(line));
    ctx.logger?.('voice').error('after');
    ctx.logger?.('voice').debug('detail');
    expect(lines).toEqual(['[info] voice: before\n', '[error] voice: after\n']);
  });

  test('are not printed twice where somebody exports them already', () => {
    const ctx = fresh();
    const lines: string[] = [];
    printLogs(ctx, (line) => lines.push(line));
    printLogs(ctx, (line) => lines.push(`again ${line}`));
    ctx.logger?.('voice').info('once');
    expect(lines).toEqual(['[info] voice: once\n']);
  });

  test.each<readonly [readonly unknown[], string]>([
    [['%C loaded by %c in %d ms', 'a', 'b', 5], 'a loaded by b in 5 ms'],
    [[new Error('broken'), 'more'], 'broken'],
    [[{ a: 1 }, 'more'], '{ a: 1 } more'],
    [[], ''],
  ])('read %j as: %s', (args, message) => {
    const ctx = fresh();
    const records: HostLogRecord[] = [];
    exportLogs(ctx, (record) => records.push(record));
    log(ctx, ...args);
    expect(records).toEqual([{ level: 'warn', name: 'voice', message }]);
  });
});

const members = { exporter: () => undefined, exporters: new Map(), buffer: [] };

test.each([
  ['none', undefined],
  ['none but a name for it', null],
  ['one without exporters', Object.assign(() => undefined, { buffer: [], exporter: members.exporter })],
  ['one that takes no exporter', Object.assign(() => undefined, { buffer: [], exporters: members.exporters })],
  ['one without a buffer', Object.assign(() => undefined, { exporter: members.exporter, exporters: members.exporters })],
  ['one with nothing but a buffer', Object.assign(() => undefined, { buffer: [] })],
  ['one that makes no loggers', members],
])('a logger of another shape is left alone: %s', (_what, logger: unknown) => {
  const asked = vi.spyOn(members, 'exporter');
  const told: unknown[] = [];
  const ctx: Cordis4Context = Object.create(fresh(), { logger: { value: logger } });
  exportLogs(ctx, (record) => told.push(record));
  printLogs(ctx, (line) => told.push(line));
  expect(told).toEqual([]);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

test('Cordis 3 prints its logs by itself, and is left alone', () => {
  const ctx = new contexts.cordis3();
  if (!isCordis3(ctx)) throw new TypeError('that is no Cordis 3');
  const told: unknown[] = [];
  exportLogs(ctx, (record) => told.push(record));
  printLogs(ctx, (line) => told.push(line));
  ctx.logger?.('voice').debug('detail');
  expect(told).toEqual([]);
});
