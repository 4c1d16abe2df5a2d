import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isKept } from '../bench.mjs';
import { compare, median, shuffled } from '../benches/compare.mjs';

const scripts = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

describe('a bench', () => {
  it('takes the median of the ratios within each round, after a round that does not count', async () => {
    const rounds = [[100, 1], [10, 5], [20, 5], [30, 5]];
    let fast = 0;
    let slow = 0;
    const result = await compare({
      fast: () => Promise.resolve(rounds[fast++]?.[0] ?? 0),
      slow: () => Promise.resolve(rounds[slow++]?.[1] ?? 0),
    }, 3);
    expect([result.median('fast'), result.median('slow'), result.ratio('fast', 'slow')]).toEqual([20, 5, 4]);
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
    expect(shuffled([1, 2, 3]).sort((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  it('holds a number to its budget, from either side', () => {
    const finding = { name: 'n', unit: 'u', budget: 0.8 };
    expect([0.79, 0.8].map((value) => isKept({ ...finding, value, holds: 'at least' }))).toEqual([false, true]);
    expect([0.8, 0.81, Number.NaN].map((value) => isKept({ ...finding, value, holds: 'at most' }))).toEqual([true, false, false]);
  });

  it.each([[[]], [['nothing']], [['engine', '--rounds', '0']], [['engine', 'more']], [['engine', '--fast']]])('refuses the words %j in one line', (words) => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(scripts, 'bench.mjs'), ...words], { encoding: 'utf8' });
    expect([status, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(/^bench: .*; benches: engine/)]]);
  });

  it('finds that ten thousand tools in pages add less than 30 MiB to the heap', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', path.join(scripts, 'benches/engine-heap.mjs')], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(Number(stdout)).toBeLessThan(30);
  });
});
