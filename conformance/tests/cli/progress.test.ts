import { expect, it } from 'vitest';
import { Progress, type Output } from '../../src/cli/progress.ts';
import type { RunSummary } from '../../src/runner/result.ts';

const passed: RunSummary = { check: 'HOST-999/a', invariant: 'HOST-999', target: 'fixture', verdict: 'pass', message: '', seed: 1, durationMs: 1 };
const failed: RunSummary = { ...passed, check: 'HOST-999/b', verdict: 'fail', failure: 'HOST-999 failed: whole text' };

function written(isTTY: boolean): string {
  let text = '';
  const out: Output = { isTTY, columns: 60, write: (piece) => void (text += piece) };
  const progress = new Progress(out, 2);
  progress.began('HOST-999/a');
  progress.ended(passed);
  progress.ended(failed);
  progress.areaEnded('host', [passed, failed], 1500);
  return text;
}

it('on a terminal shows one live line, and takes it away for lines that stay', () => {
  const text = written(true);
  expect(text).toContain('1/2  1 passed, 0 failed');
  expect(text).toContain('\r\u001B[2K');
});

it('elsewhere prints failures whole and a line when an area is done, and moves no cursor', () => {
  const text = written(false);
  expect(text).toContain('HOST-999 failed: whole text');
  expect(text).toMatch(/host .*1\.5 s/);
  expect(text).not.toContain('\r');
});
