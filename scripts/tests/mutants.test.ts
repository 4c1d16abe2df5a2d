import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFingerprint, doneBefore } from '../mutants/resume.mjs';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'mutants-'));
  for (const room of ['fixture-servers', 'bridge', 'conformance']) {
    await mkdir(path.join(root, room, 'dist', 'deep'), { recursive: true });
    await writeFile(path.join(root, room, 'dist', 'deep', 'a.js'), room);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

const line = (id: string, more: object = {}): object => ({ id, killed: true, by: ['c'], strangers: [], unjudged: [], why: '', durationMs: 1, ...more });

describe('an interrupted run of the mutants', () => {
  it('is resumed with what was killed by then, and nothing that survived or had a stranger', async () => {
    const file = path.join(root, 'mutants.json');
    const how = { build: 'b', seed: 1, full: true };
    expect(doneBefore(file, how)).toEqual([]);
    await writeFile(file, JSON.stringify({ ...how, lines: [line('A'), line('B', { killed: false }), line('C', { strangers: ['d'] })] }));
    expect(doneBefore(file, how).map(({ id }) => id)).toEqual(['A']);
    expect(doneBefore(file, { ...how, full: false })).toEqual([]);
    expect(doneBefore(file, { ...how, build: 'another' })).toEqual([]);
  });

  it('is not resumed after a change of any built file', async () => {
    const before = buildFingerprint(root);
    expect(buildFingerprint(root)).toBe(before);
    await writeFile(path.join(root, 'bridge', 'dist', 'deep', 'a.js'), 'changed');
    expect(buildFingerprint(root)).not.toBe(before);
  });
});
