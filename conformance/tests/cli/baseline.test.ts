import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { certifyMutant, ONLY } from '../support/mutant.ts';
import type { Ended } from '../support/run-program.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.end());

const certify = (...args: readonly string[]): Promise<Ended> => certifyMutant(line, ...args);
const writeKnown = (text: string): Promise<void> => writeFile(line.at('known.yaml'), text);

describe('--baseline', { timeout: 240_000 }, () => {
  it('is begun by --fix, then knows the failure, and says where it is stale once the bridge is mended', async () => {
    const begun = await certify('--strict', '--baseline', 'known.yaml', '--fix');
    expect(begun.stdout).toMatch(/0 known, 0 stale, 0 changed, 1 unknown\.[^]*unknown {2}CALL-002\/none[^]*was rewritten/);
    expect(begun.code).toBe(0);
    expect(await readFile(line.at('known.yaml'), 'utf8')).toMatch(/^baseline: 1\nknown:\n {2}- check: CALL-002\/none\n {4}message: .+\n {4}reason: .*say why/);

    const known = await certify('--strict', '--baseline', 'known.yaml');
    expect(known.stdout).toMatch(/1 known, 0 stale, 0 changed, 0 unknown\.[^]*AS KNOWN/);
    expect(known.code).toBe(0);

    const mended = await line.run(['certify', '--subject', 'reference', ...ONLY, '--strict', '--baseline', 'known.yaml']);
    expect(mended.stdout).toMatch(/stale {4}known\.yaml:3: CALL-002\/none does not fail any more; take the entry out/);
    expect(mended.stdout).toMatch(/NOT AS KNOWN: the baseline known\.yaml does not fit \(1 stale, listed above\), which ends with 1; .*\nEvery run is in [^\n]+\n$/);
    expect(mended.stdout).not.toContain('HELD');
    expect(mended.code).toBe(1);
  });

  it('fails for a failure that says something else, and --fix keeps its reason', async () => {
    await writeKnown('baseline: 1\nknown:\n  - { check: CALL-002, message: another one, reason: "clients send {}" }\n');
    const changed = await certify('--strict', '--baseline', 'known.yaml');
    expect(changed.stdout).toMatch(/changed {2}known\.yaml:3: CALL-002\/none now says: .*\n +and not: another one/);
    expect(changed.code).toBe(1);
    await certify('--strict', '--baseline', 'known.yaml', '--fix');
    const text = await readFile(line.at('known.yaml'), 'utf8');
    expect(text).toContain('reason: "clients send {}"');
    expect(text).not.toContain('another one');
  });

  it.each<[string, string | undefined, string[], RegExp]>([
    ['a file that is not there', undefined, ['--baseline', 'none.yaml'], /--baseline none\.yaml: there is no such file; give --fix too/],
    ['a folder', undefined, ['--baseline', '.'], /--baseline \.: this is a folder/],
    ['--fix without a file', undefined, ['--fix'], /--fix rewrites a baseline; say which/],
    ['an entry without a reason', 'baseline: 1\nknown:\n  - check: CALL-002\n    message: x\n', ['--baseline', 'known.yaml'], /: known\.yaml:3:5: known\.0\.reason: say why this failure is accepted$/],
    ['a check that is nearly one', 'baseline: 1\nknown:\n  - check: CALL-02\n    message: x\n    reason: y\n', ['--baseline', 'known.yaml'], /known\.yaml:3:12: .*CALL-02: no such check or invariant; did you mean CALL-\d+/],
  ])('%s is told in one line with the fix, and ends with 2 before anything runs', async (_what, text, args, told) => {
    if (text !== undefined) await writeKnown(text);
    const { code, stdout, stderr } = await line.run(['certify', '--subject', 'reference', ...args]);
    expect(stderr.trim()).toMatch(told);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
