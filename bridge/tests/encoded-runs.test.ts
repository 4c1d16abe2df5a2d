import { describe, expect, it } from 'vitest';
import { withoutEncodedRuns } from '../src/encoded-runs.ts';

const clean = (text: string): string => withoutEncodedRuns(text, 100, '[out]');

describe('withoutEncodedRuns', () => {
  it('takes out runs that are long enough, with their padding, and leaves shorter ones', () => {
    const run = 'aB3+/-_9'.repeat(13);
    expect(clean(`x ${run.slice(0, 100)}=== y ${run.slice(0, 99)} z`)).toBe(`x [out]= y ${run.slice(0, 99)} z`);
    expect(clean(run)).toBe('[out]');
    expect(clean('é\\u{7f} words')).toBe('é\\u{7f} words');
    expect(clean(`\u0080 ${run}`)).toBe('\u0080 [out]');
  });

  it('counts an escaped slash as one character', () => {
    expect(clean(`${'\\/'.repeat(100)}!`)).toBe('[out]!');
    expect(clean('\\/'.repeat(99))).toBe('\\/'.repeat(99));
    expect(clean('\\'.repeat(200))).toBe('\\'.repeat(200));
  });

  it('takes out three lines and more that are wrapped as encoders wrap, whatever ends them', () => {
    const line = 'x'.repeat(60);
    expect(clean(`a ${line}\n${line}\r\n${line}\nend== b`)).toBe('a [out] b');
    expect(clean(`a ${line}\n${line}\nend== b`)).toBe(`a ${line}\n${line}\nend== b`);
    expect(clean(`${line.slice(1)}\n`.repeat(4))).toBe(`${line.slice(1)}\n`.repeat(4));
    for (const noLineEnd of ['\r', '.', '\n\n']) expect(clean([line, line, line, line].join(noLineEnd))).toBe([line, line, line, line].join(noLineEnd));
    // A line counts as wrapped where it ends.
    expect(clean(`${line}\n${line}\n${line} b`)).toBe(`${line}\n${line}\n${line} b`);
  });
});
