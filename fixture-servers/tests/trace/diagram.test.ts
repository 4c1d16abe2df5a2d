import { spawnSync } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { createDiagram } from '../../src/trace/diagram.ts';
import { cells } from '../../src/trace/printable.ts';
import { readTraceFile } from '../../src/trace/read-file.ts';
import type { TraceRecord } from '../../src/trace/schema.ts';
import { BIN } from '../client.ts';
import { recordsOf, temporaryFolder } from './records.ts';

const folder = temporaryFolder();

function draw(records: readonly TraceRecord[], width = 80): string[] {
  const diagram = createDiagram({ width });
  return [...records.flatMap((record) => diagram.push(record)), ...diagram.end()];
}

function show(args: readonly string[], env: NodeJS.ProcessEnv = {}): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'show', ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  return { code: status, out: stdout, err: stderr };
}

describe('a diagram of a trace', () => {
  const { records, c2s, s2c, process: event } = recordsOf();
  event('start');
  c2s({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  s2c({ jsonrpc: '2.0', id: 0, result: {} });
  c2s({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } });
  c2s({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  records.push({ trace: 1, seq: 9, atMs: 1010, server: 'server', carrier: 'stdio', incarnation: 1, pid: 7, kind: 'fault', rule: 'twice', action: 'reply', index: 0 });
  s2c({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'no \u001b[31mred\u001b[0m' } });
  s2c({ jsonrpc: '2.0', id: 2, result: {} });
  s2c({ jsonrpc: '2.0', id: 99, result: {} });
  s2c('{"half', { bytes: 6 });
  event('stderr', { text: 'out of memory\n' });
  event('exit', { code: 137 });

  it('pairs ids, and tells times, sizes, faults and process events', () => {
    const lines = draw(records);
    const text = lines.join('\n');
    expect(text).toMatch(/├── initialize #0 ─+ 59 B ─▶│/);
    expect(text).toMatch(/│◀─ #0 result initialize ─+ 1\.0 ms · 37 B ──┤/);
    expect(text).toContain('✗ twice: reply');
    expect(text).toContain('#2 error tools/list: -32603 no \\u001b[31mred');
    expect(text).toContain('no message: {"half');
    expect(text).toContain('stderr: out of memory');
    expect(text).toContain('■ process ended with code 137');
    expect(text).not.toContain('\u001b');
  });

  it('names at the end what was never answered, answered twice, or answered with an unknown id', () => {
    const end = draw(records).slice(-3);
    expect(end).toEqual(['answered twice: tools/list #2', 'answered with an unknown id: server from the server: #99', 'never answered: tools/call slow #1']);
    expect(draw(records.slice(0, 3)).at(-1)).toBe('every request was answered once');
  });

  it('keeps to its width, whatever the text', () => {
    const { records: wide, c2s: say } = recordsOf();
    say({ jsonrpc: '2.0', id: '工具'.repeat(40), method: '工具🎉'.repeat(100), params: { name: 'e\u0301'.repeat(200) } });
    say('\u202e\u0000\ud800'.repeat(200));
    for (const width of [48, 80, 200]) {
      for (const line of draw(wide, width).filter((each) => /[│├┼]/.test(each))) expect(cells(line)).toBe(width);
    }
  });

  it('pairs the request that opens a session over HTTP, which names none yet', () => {
    const { records: http, c2s: ask, s2c: answer } = recordsOf();
    ask({ jsonrpc: '2.0', id: 0, method: 'initialize' }, { carrier: 'streamable-http', http: { method: 'POST', exchange: 1, path: '/mcp' } });
    answer({ jsonrpc: '2.0', id: 0, result: {} }, { carrier: 'streamable-http', session: 's1', http: { method: 'POST', exchange: 1, status: 200 } });
    const lines = draw(http);
    expect(lines.at(-1)).toBe('every request was answered once');
    expect(lines.join('\n')).toContain('POST 200 ·1');
    expect(lines.join('\n')).toContain('session s1');
  });

  it('draws all lines but the wrong ones, which it names with their number', () => {
    const path = folder.trace('wrong.jsonl', [records[0], '{"trace":1}', 'no json', '', records[1]]);
    const { code, out, err } = show([path]);
    expect(code).toBe(1);
    expect(out).toContain('initialize #0');
    expect(err).toContain(`${path}:2: `);
    expect(err).toContain(`${path}:3: no JSON`);
    expect(err).toContain('2 wrong lines were left out');
    expect(show([folder.path('none.jsonl')])).toMatchObject({ code: 2, out: '' });
  });

  it('uses colours only where they are wanted', () => {
    const path = folder.trace('plain.jsonl', records);
    expect(show([path], { NO_COLOR: '1' }).out).not.toContain('\u001b');
    expect(show([path], { FORCE_COLOR: '1' }).out).toContain('\u001b[');
    expect(show([path, '--width', '60']).out.split('\n')[1]?.length).toBe(60);
    expect(show([path, '--width', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('--width x is no whole number') });
  });

  it('survives hostile lines: endless, deep, prototype keys, no UTF-8', async () => {
    const path = folder.path('hostile.jsonl');
    const stream = createWriteStream(path);
    const frame = { ...records[1], raw: '', message: undefined };
    const json = JSON.stringify(frame);
    stream.write(`${json.slice(0, -1)},"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`);
    stream.write(`${json.slice(0, -1)},"message":{"__proto__":{"polluted":1},"id":${'['.repeat(9_000)}${']'.repeat(9_000)},"method":"x"}}\n`);
    stream.write(Buffer.from([0xff, 0xfe, 0x0a]));
    stream.write(`"${'x'.repeat(3000)}"\n${json}\n`);
    stream.end();
    await finished(stream);
    const diagram = createDiagram();
    const read: string[] = [];
    for await (const each of readTraceFile(path, 200_000)) read.push('record' in each ? diagram.push(each.record).join('') : each.error.message);
    expect(read).toHaveLength(5);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(read[2]).toContain(':3: is not UTF-8');
    writeFileSync(path, `${'y'.repeat(1000)}\n${json}\n`);
    const bounded = [];
    for await (const each of readTraceFile(path, 900)) bounded.push('record' in each ? 'record' : each.error.message);
    expect(bounded).toEqual([`${path}:1: has more than 900 bytes; no record is that long`, 'record']);
  });
});
