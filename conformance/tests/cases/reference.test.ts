/** The examples of the reference page of the case language are run, as cases of the library are. */
import { SubjectWorker } from 'mcp-bridge-conformance';
import { parseCase } from 'mcp-fixture-server';
import { completed, examplesOf } from 'mcp-fixture-server/reference';
import { afterAll, describe, expect, it } from 'vitest';
import { runCase } from '../../src/cases/run-case.ts';
import { createAdapter } from '../../subjects/reference/index.ts';

const reference = new SubjectWorker(createAdapter);
afterAll(() => reference.end());

const examples = examplesOf('case').filter(({ run }) => run);

describe('an example of a case on the reference page', () => {
  it.each(examples)('$id: the reference bridge does what it says', async (example) => {
    const { verdicts } = await runCase(parseCase(completed(example)), reference, { seed: 1 });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });

  it('is one for nearly all of them', () => {
    expect(examplesOf('case').length - examples.length).toBeLessThan(3);
  });
});
