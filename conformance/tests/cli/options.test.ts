import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/reporters/report.ts';
import { CommandLine } from '../support/command-line.ts';
import { certifyMutant } from '../support/mutant.ts';
import type { Ended } from '../support/run-program.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.end());

const certify = (...args: readonly string[]): Promise<Ended> => certifyMutant(line, ...args);

describe('--level, --seed and --only', { timeout: 240_000 }, () => {
  it('narrow a certification, and the report names them', async () => {
    const { code, stdout } = await certify('--level', 'core', '--seed', '42');
    expect(stdout).toContain('at level core\n');
    // The one that the mutant breaks is of another level.
    expect(stdout).toMatch(/^2 invariants: 1 passed, 0 failed, 0 inconclusive, 1 not applicable \(2 runs, .*, seed 42\)$/m);
    expect(code).toBe(0);
    const report: Report = JSON.parse(await readFile(line.at('reports', 'report.json'), 'utf8'));
    expect(report).toMatchObject({ levels: ['core'], seed: 42, scope: 'part', certified: false });
    expect(report.verdicts.flatMap(({ runs }) => runs).map(({ check, verdict, message }) => [check, verdict, message])).toContainEqual(['CALL-002/none', 'not-applicable', 'level resilience was not asked for']);
  });
});

describe('--strict', { timeout: 240_000 }, () => {
  it('makes a recommendation that is not met refuse the certificate, which otherwise only shows', async () => {
    const soft = await certify();
    expect(soft.stdout).toContain('Recommendations not met (they refuse a certificate under --strict): CALL-002.');
    expect(soft.code).toBe(0);
    const strict = await certify('--strict');
    expect(strict.stdout).toMatch(/NOT CERTIFIED[^]*CALL-002 failed/);
    expect(strict.code).toBe(1);
  });
});
