import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { differences } from '../repeat.mjs';

const SCRIPT = path.join(import.meta.dirname, '..', 'repeat.mjs');

const list = (...said: [string, string][]): Map<string, string> => new Map(said);

describe('verdict lists of several certifications', () => {
  it('are equal when each run said the same every time', () => {
    expect(differences([list(['a', 'pass'], ['b', 'fail']), list(['b', 'fail'], ['a', 'pass'])])).toEqual([]);
  });

  it('differ in the runs that did not, also in one that gave no verdict', () => {
    expect(differences([list(['a', 'pass'], ['b', 'fail']), list(['a', 'inconclusive'])])).toEqual(['a: pass, inconclusive', 'b: fail, no verdict']);
  });
});

it.each([['x'], ['1'], ['']])('npm run repeat -- %s says what to give, and ends with 2', (count) => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, count], { encoding: 'utf8' });
  expect(stderr).toMatch(/^repeat: say how many times, from 2 to 1000, .*npm run repeat -- 20 --only naming\n$/);
  expect(status).toBe(2);
});
