import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idleChecks, notAsked } from '../mutants/tally.mjs';
import { RESULTS_VERSION, buildFingerprint, doneBefore } from '../mutants/resume.mjs';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'mutants-'));
  for (const room of ['fixture-servers', 'bridge', 'conformance']) {
    await mkdir(path.join(root, room, 'dist', 'deep'), { recursive: true });
    await writeFile(path.join(root, room, 'dist', 'deep', 'a.js'), room);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

const line = (id: string, more: object = {}) => ({ id, killed: true, by: ['c'], strangers: [], doubts: [], spared: [], unjudged: [], why: '', durationMs: 1, ...more });

const declared = (...ids: string[]) => (): readonly string[] => ids;

describe('an interrupted run of the mutants', () => {
  it('is resumed with what was killed by then, and nothing that survived or had a stranger', async () => {
    const file = path.join(root, 'mutants.json');
    const how = { build: 'b', seed: 1, full: true };
    expect(doneBefore(file, how, declared())).toEqual([]);
    await writeFile(file, JSON.stringify({ mutants: RESULTS_VERSION, ...how, lines: [line('A'), line('B', { killed: false }), line('C', { strangers: ['D-001/d'] })] }));
    expect(doneBefore(file, how, declared()).map(({ id }) => id)).toEqual(['A']);
    expect(doneBefore(file, { ...how, full: false }, declared())).toEqual([]);
    expect(doneBefore(file, { ...how, build: 'another' }, declared())).toEqual([]);
    await writeFile(file, JSON.stringify({ mutants: RESULTS_VERSION - 1, ...how, lines: [line('A')] }));
    expect(doneBefore(file, how, declared())).toEqual([]);
  });

  it('takes the neighbours that are declared by now, and repeats what spared one that is declared no more', async () => {
    const file = path.join(root, 'mutants.json');
    const how = { build: 'b', seed: 1, full: true };
    await writeFile(file, JSON.stringify({ mutants: RESULTS_VERSION, ...how, lines: [line('C', { strangers: ['D-001/d', 'D-001/e'] }), line('E', { spared: ['D-002'] })] }));
    expect(doneBefore(file, how, declared('D-001'))).toEqual([line('C')]);
    expect(doneBefore(file, how, declared('D-001', 'D-002')).map(({ id }) => id)).toEqual(['C', 'E']);
    expect(doneBefore(file, how, declared('D-002')).map(({ id }) => id)).toEqual(['E']);
  });

  it('is not resumed after a change of any built file', async () => {
    const before = buildFingerprint(root);
    expect(buildFingerprint(root)).toBe(before);
    await writeFile(path.join(root, 'bridge', 'dist', 'deep', 'a.js'), 'changed');
    expect(buildFingerprint(root)).not.toBe(before);
  });

  it('is resumed after a change of declared neighbours, which is no change of a mutant', async () => {
    const folder = path.join(root, 'conformance', 'dist', 'subjects', 'mutants');
    await mkdir(folder, { recursive: true });
    const before = buildFingerprint(root);
    await writeFile(path.join(folder, 'neighbours.js'), 'declared');
    expect(buildFingerprint(root)).toBe(before);
    await writeFile(path.join(folder, 'mutant.js'), 'changed');
    expect(buildFingerprint(root)).not.toBe(before);
  });
});

describe('a run of the mutants', () => {
  it('names each check that found none, whatever others found', () => {
    expect(idleChecks(['A-001/x', 'A-001/y', 'A-002/z'], [line('A', { by: ['A-001/x'] }), line('B', { by: ['A-001/x', 'A-002/z'] })])).toEqual(['A-001/y']);
    expect(idleChecks(['A-001/x'], [])).toEqual(['A-001/x']);
  });

  it('keeps what is known of mutants that were not asked for', () => {
    expect(notAsked([line('A'), line('B'), line('C')], ['B']).map(({ id }) => id)).toEqual(['A', 'C']);
  });
});
