import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nowMs } from '../../src/trace/clock.ts';
import { readTrace } from '../../src/trace/reader.ts';
import { createRecorder } from '../../src/trace/recorder.ts';
import { MAX_RAW_CHARS } from '../../src/trace/version.ts';
import { createTraceWriter } from '../../src/trace/writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixture-trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a trace', () => {
  it('reads back as it was written, messages parsed, with the time on the shared clock', () => {
    const path = join(folder, 'a.jsonl');
    const before = nowMs();
    const writer = createTraceWriter(path);
    const recorder = createRecorder({ server: '__proto__', carrier: 'stdio', pid: 7 }, [writer.sink]);
    recorder.record({ kind: 'process', event: 'start' });
    recorder.setIncarnation(2);
    recorder.frame('client-to-server', '{"__proto__":1,"a":"\u2028"}', 20);
    recorder.frame('server-to-client', 'no json', 8);
    recorder.frame('server-to-client', `"${'x'.repeat(MAX_RAW_CHARS)}"`, MAX_RAW_CHARS + 3);
    recorder.frame('server-to-client', '\uFEFF{"n":12345678901234567890,\n"a":1}', 30);
    recorder.frame('server-to-client', `{"n":12345678901234567890,"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 99);
    recorder.record({ kind: 'fault', rule: 'r', action: 'exit', index: 0 });
    writer.close();
    const records = readTrace(readFileSync(path, 'utf8'), path);
    expect(records.map(({ seq, incarnation }) => [seq, incarnation])).toEqual([[0, 0], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2]]);
    expect(JSON.stringify(records[1])).toContain('"message":{"__proto__":1,"a":"\u2028"}');
    expect(records[2]).not.toHaveProperty('message');
    expect(records[3]).toMatchObject({ bytes: MAX_RAW_CHARS + 3 });
    expect(records[3]).not.toHaveProperty('message');
    expect(records[4]).toHaveProperty('message.a', 1);
    expect(readFileSync(path, 'utf8')).toContain('"message":{"n":12345678901234567890,"deep":[[');
    expect(records[6]).toMatchObject({ server: '__proto__', kind: 'fault', rule: 'r', action: 'exit', index: 0 });
    expect(records.every(({ atMs }) => atMs >= before && atMs <= nowMs())).toBe(true);
  });

  it('names the line that is wrong, and what is wrong there', () => {
    const path = join(folder, 'b.jsonl');
    const writer = createTraceWriter(path);
    createRecorder({ server: 's', carrier: 'stdio', pid: 1 }, [writer.sink]).record({ kind: 'process', event: 'start' });
    writer.close();
    const good = readFileSync(path, 'utf8');
    expect(() => readTrace(`${good}\n{"trace":1}\n`, 't')).toThrow('t:3: ');
    expect(() => readTrace(good.replace('"start"', '"begin"'), 't')).toThrow('t:1: event expected "start" or');
    expect(() => readTrace(`${good}{"trace":1,"se`, 't')).toThrow('t:2: no JSON');
    expect(() => readTrace(`${good}{"trace":1,"se`, 't')).toThrow('the last line is cut');
    expect(readTrace(good)).toHaveLength(1);
    expect(readTrace(`\uFEFF${good}`)).toHaveLength(1);
    expect(() => readTrace(`${good}\uFEFF${good}`, 't')).toThrow('t:2: no JSON');
  });
});
