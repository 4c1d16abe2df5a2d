import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { parseMessage } from '../../src/jsonrpc/message.ts';
import type { FrameRecord, TraceRecord } from '../../src/trace/schema.ts';

/** Makes records of one stdio server, a millisecond apart. */
export function recordsOf(server = 'server', pid = 7): {
  readonly records: TraceRecord[];
  readonly c2s: (message: unknown, more?: Partial<FrameRecord>) => void;
  readonly s2c: (message: unknown, more?: Partial<FrameRecord>) => void;
  readonly process: (event: Extract<TraceRecord, { kind: 'process' }>['event'], more?: object) => void;
} {
  const records: TraceRecord[] = [];
  const base = (): Omit<FrameRecord, 'kind' | 'direction' | 'raw' | 'bytes'> => ({
    trace: 1, seq: records.length, atMs: 1000 + records.length, server, carrier: 'stdio', incarnation: 1, pid,
  });
  const frame = (direction: FrameRecord['direction'], message: unknown, more: Partial<FrameRecord>): void => {
    const raw = typeof message === 'string' ? message : JSON.stringify(message);
    const parsed = parseMessage(raw);
    records.push({ ...base(), kind: 'frame', direction, raw, bytes: Buffer.byteLength(raw) + 1, ...(parsed.ok ? { message: parsed.value } : {}), ...more });
  };
  return {
    records,
    c2s: (message, more = {}) => frame('client-to-server', message, more),
    s2c: (message, more = {}) => frame('server-to-client', message, more),
    process: (event, more = {}) => void records.push({ ...base(), kind: 'process', event, ...more }),
  };
}

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): { path(name: string): string; trace(name: string, records: readonly unknown[]): string } {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-trace-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    path: (name) => join(folder, name),
    trace(name, records) {
      const path = join(folder, name);
      writeFileSync(path, records.map((record) => (typeof record === 'string' ? `${record}\n` : `${JSON.stringify(record)}\n`)).join(''));
      return path;
    },
  };
}
