import { describe, expect, it } from 'vitest';
import { findCase, listCases, loadCase } from '../../src/case/library.ts';

const cases = await listCases();

describe('the library', () => {
  it('has a case for each report', () => {
    const told = [
      1, 2, 4, 5, 7, 8, 10, 11, 12, 14, 15, 16, 17, 20, 21, 24, 26, 27, 29, 30, 31, 32, 33, 35, 36, 37, 38, 39, 41, 42, 44, 45, 46, 48, 49, 51, 52, 54, 55,
      56, 58, 59, 60, 61, 62, 64, 66, 67,
    ];
    expect(cases.map(({ name }) => name).toSorted()).toEqual(told.map((number) => `R${String(number).padStart(2, '0')}`));
  });

  it.each(cases)('$name is a valid case, called by its id, in the folder of its area', async ({ name, area }) => {
    const file = await loadCase(name);
    expect([file.id, file.area]).toEqual([name, area]);
    expect(file.reports.every((report) => /^[\w.-]+\/[\w.-]+#\d+$/.test(report))).toBe(true);
    expect(file.reports.length).toBeGreaterThan(0);
  });

  it('keeps a server called __proto__', async () => {
    expect(Object.keys((await loadCase('R07')).servers)).toEqual(['__proto__', 'plain']);
  });

  it('finds a case by its id alone, never by a path', async () => {
    await expect(findCase('r08')).resolves.toMatchObject({ name: 'R08' });
    await expect(findCase('../discovery/R08')).rejects.toThrow('no case');
    await expect(findCase('R0')).rejects.toThrow('did you mean');
  });
});
