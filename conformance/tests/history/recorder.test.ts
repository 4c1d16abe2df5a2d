import { describe, expect, it } from 'vitest';
import { latestRun, Recorder } from '../../src/history/recorder.ts';
import type { TraceRecord } from 'mcp-fixture-server/trace';

const processStart = (atMs: number): TraceRecord => ({
  trace: 1, seq: 0, atMs, server: 'a', carrier: 'stdio', incarnation: 1, pid: 1, kind: 'process', event: 'start',
});

describe('the recorder', () => {
  it('puts records that arrive late where they happened', () => {
    const recorder = new Recorder();
    const late: TraceRecord[] = [];
    recorder.addSource(() => late.splice(0));
    recorder.add({ atMs: 10, kind: 'cancel', callId: 'a' });
    recorder.add({ atMs: 30, kind: 'cancel', callId: 'b' });
    late.push(processStart(20));
    expect(recorder.history().map((event) => event.kind)).toEqual(['cancel', 'wire', 'cancel']);
  });

  it('gives the judge of a run what came before the first run and what belongs to the last one, late records of others left out', () => {
    const recorder = new Recorder();
    const late: TraceRecord[] = [];
    recorder.addSource(() => late.splice(0));
    recorder.note({ kind: 'trouble', message: 'before' });
    recorder.beginRun(1);
    recorder.note({ kind: 'trouble', message: 'first' });
    const between = recorder.history().at(-1)?.atMs ?? 0;
    recorder.beginRun(2);
    late.push(processStart(between));
    recorder.note({ kind: 'trouble', message: 'second' });
    const seen = latestRun(recorder.history());
    expect(seen.map((event) => (event.kind === 'trouble' ? event.message : event.kind))).toEqual(['before', 'run', 'second']);
  });

  it('gives a history without runs back whole', () => {
    const recorder = new Recorder();
    recorder.note({ kind: 'trouble', message: 'only' });
    expect(latestRun(recorder.history())).toHaveLength(1);
  });
});
