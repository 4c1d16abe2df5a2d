import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../fuzz.mjs', import.meta.url));
const files = [...(readFileSync(SCRIPT, 'utf8').match(/^const FILES = \[([^\]]+)\];$/m)?.[1] ?? '').matchAll(/'([\w/-]+)'/g)].map(([, name]) => name);

describe('npm run fuzz', () => {
  it.each([['0'], ['many'], ['10', 'seed'], ['10', '2147483648'], ['10', '1', '2']])('refuses %s %s %s before anything is tried', (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^fuzz: give at most two whole numbers.+\n$/);
  });

  it.each(files)('%s takes runs and seed from it in every property', (file) => {
    const text = readFileSync(new URL(`../../${file}.test.ts`, import.meta.url), 'utf8');
    expect(text.match(/fuzzRuns\(\d/g)?.length).toBe(text.match(/fc\.assert\(/g)?.length);
    expect(text).not.toContain('numRuns:');
  });

  it('covers the parser, framing, the engine, traces and a real server, and the bridge over both transports, in chunks and as a whole', () => {
    expect(files).toHaveLength(9);
  });
});
