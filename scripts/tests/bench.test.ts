import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isKept } from '../bench.mjs';
import { compare, median, shuffled } from '../benches/compare.mjs';

const scripts = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Some seconds, and many times that beside other work. */
const SMALL_LIMIT_MS = 120_000;

function runSmall(name: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(scripts, 'bench.mjs'), name, '--rounds', '1', '--small'], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

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

  it.concurrent.each([
    ['calls', 4, 'of the bare client'],
    ['discovery', 3, 'of the bare drain'],
    ['storm', 4, 'drains of the list'],
    ['servers', 2, 'of the bare clients'],
    ['crashes', 4, 'MB more'],
  ])('runs the bench %s in small, and prints its %i findings', async (name, count, unit) => {
    const { code, stderr, stdout } = await runSmall(name);
    expect([code, stderr]).toEqual([0, '']);
    const findings = stdout.split('\n').filter((line) => /^(?:ok {2}|MISS) /.test(line));
    expect(findings).toHaveLength(count);
    expect(findings.join('\n')).toContain(unit);
    // A number each, whatever it is: so small, and beside other tests, it says nothing.
    for (const finding of findings) expect(finding).toMatch(/: -?\d+\.\d\d /);
    expect(stdout).toMatch(/load [\d.]+ before and [\d.]+ after, on \d+ cores; 1 rounds/);
  }, SMALL_LIMIT_MS);

  it('finds that ten thousand tools in pages add less than 30 MiB to the heap', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', path.join(scripts, 'benches/engine-heap.mjs')], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(Number(stdout)).toBeLessThan(30);
  });
});
