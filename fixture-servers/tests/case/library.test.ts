import { describe, expect, it } from 'vitest';
import { findCase, listCases, loadCase } from '../../src/case/library.ts';

const cases = await listCases();

describe('the library', () => {
  it('has a case for each report that the first suite reproduces', () => {
    expect(cases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['R04', 'R05', 'R07', 'R08', 'R10', 'R11', 'R16', 'R20', 'R21', 'R35', 'R36', 'R41', 'R45', 'R59', 'R60']),
    );
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
