import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/schema.ts';
import { failureText } from '../../src/reporters/failure-text.ts';
import { traceText } from '../../src/reporters/trace-text.ts';
import { someInvariant } from '../support/plans.ts';

const events: HistoryEvent[] = Array.from({ length: 50 }, (_, index) => ({ atMs: 1000 + index, kind: 'cancel', callId: `call-${index}` }));

describe('the trace of a failure', () => {
  it('shows what is around the evidence, marks it, and says how much is left out', () => {
    const lines = traceText(events, [20]);
    expect(lines.filter((line) => line.startsWith('>'))).toEqual(['>      6.0  ask       cancel call-20']);
    expect(lines[0]).toContain('14 more');
    expect(lines.at(-1)).toContain('27 more');
  });

  it('shows the end when the judge points at nothing', () => {
    expect(traceText(events).at(-1)).toContain('cancel call-49');
  });

  it('stays short, whatever the judge points at', () => {
    expect(traceText(events, events.map((_, index) => index)).length).toBeLessThan(45);
  });

  it('puts one event on one line, cut', () => {
    const text = traceText([{ atMs: 0, kind: 'trouble', message: `a\nb\u2028${'x'.repeat(1000)}` }]);
    expect(text).toHaveLength(1);
    expect(text[0]?.length).toBeLessThan(220);
  });

  it('shows frames with direction, method and id', () => {
    const record = { trace: 1, seq: 0, atMs: 0, server: 'a', carrier: 'stdio', incarnation: 2, pid: 9, kind: 'frame', bytes: 2, raw: '' } as const;
    const lines = traceText([
      { atMs: 0, kind: 'wire', record: { ...record, direction: 'client-to-server', message: { method: 'tools/call', id: 4, params: { name: 'x' } } } },
      { atMs: 0, kind: 'wire', record: { ...record, direction: 'server-to-client', message: { id: 4, result: {} } } },
    ]);
    expect(lines[0]).toContain('-->       a#2 tools/call id 4 {"name":"x"}');
    expect(lines[1]).toContain('<--       a#2 result id 4 {}');
  });
});

describe('the text of a failure', () => {
  it('holds the invariant, the judge, the input, the trace and one command that replays it', () => {
    const text = failureText(
      {
        check: 'HOST-999/a', invariant: 'HOST-999', target: 'fixture', verdict: 'fail', message: 'what was due did not come', seed: 7,
        path: '3:0', counterexample: '"\u2028"', shrinks: 2, durationMs: 1, history: events, evidence: [3],
      },
      { invariant: someInvariant, replay: 'npx suite replay HOST-999/a --seed 7 --path 3:0', saved: ['reports/histories/a.json'] },
    );
    expect(text).toContain(`HOST-999 failed: ${someInvariant.statement}`);
    expect(text).toContain('what was due did not come');
    expect(text).toContain('"\\u2028"');
    expect(text).toContain('seed 7, path 3:0, shrunk in 2 steps');
    expect(text).toContain('cancel call-3');
    expect(text).toContain('reports/histories/a.json');
    expect(text.split('\n').at(-1)).toContain('npx suite replay HOST-999/a --seed 7 --path 3:0');
  });
});
