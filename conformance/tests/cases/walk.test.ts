import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import type { Ended } from '../support/run-program.ts';

const BROKEN = fileURLToPath(new URL('./subjects/sends-again.mjs', import.meta.url));
const CASE = path.join('reports', 'cases', 'CALL-003.server-ends.yaml');
const SCENARIO = 'scenario: 1\n';

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
});
afterAll(() => cli.end());

const run = (...args: string[]): Promise<Ended> => cli.run(args);

/** The arguments of the command in a failure's text that begins with these words. */
function commandIn(text: string, words: string): string[] {
  const line = text.split('\n').find((one) => one.includes(words)) ?? '';
  return line.slice(line.indexOf('mcp-bridge-conformance ') + 'mcp-bridge-conformance '.length).trim().split(' ');
}

describe('a planted failure', () => {
  it('goes from certificate through replay command and case file to a mended bridge', { timeout: 180_000 }, async () => {
    const certified = await run('certify', '--subject', BROKEN, '--only', 'CALL-003');
    expect(certified.code).toBe(1);
    const replay = commandIn(certified.stdout, 'conformance replay CALL-003/server-ends');
    expect((await run(...replay)).code).toBe(1);
    const byCase = commandIn(certified.stdout, `conformance replay ${CASE}`);
    expect(byCase).toEqual(['replay', CASE, '--subject', BROKEN]);
    const again = await run(...byCase);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('CALL-003 failed')]);
    // What was seen is replayed as well, by the case that it holds, against the subject that it names.
    const history = 'reports/histories/case-CALL-003.server-ends.fixture.20251125.json';
    const byHistory = await run('replay', history);
    expect(byHistory.stdout).toMatch(/CALL-003 failed[^]*history {2}reports\/histories\/case-CALL-003/);
    expect(byHistory.code).toBe(1);
    const mended = await run('replay', history, '--subject', 'reference');
    expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining('CALL-003 held')]);
  });
});

describe('replay of a case', () => {
  it('takes a name of the library, and says which invariants held', async () => {
    const { code, stdout } = await run('replay', 'r59', '--subject', 'reference');
    expect(stdout).toContain('case R59: ');
    expect(stdout).toContain('CALL-006 held: ');
    expect(code).toBe(0);
    expect(existsSync(cli.at('reports', 'replay.json'))).toBe(true);
  });

  it('takes the case that the README shows', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```yaml\n(case: 1\n[^]*?)```/.exec(readme) ?? [];
    await writeFile(cli.at('case.yaml'), shown);
    expect(await run('replay', 'case.yaml', '--subject', 'reference')).toMatchObject({ code: 0, stdout: expect.stringContaining('CALL-006 held') });
  });

  it('ends with 3 when an invariant cannot be judged on it', async () => {
    const servers = 'servers: { a: { scenario: { scenario: 1, tools: [{ name: t }] } } }\n';
    await writeFile(cli.at('free.yaml'), `case: 1\nid: free\ntitle: t\narea: call\n${servers}steps: [{ open: true }]\njudge: [CALL-016]\n`);
    const { code, stdout } = await run('replay', 'free.yaml', '--subject', 'reference');
    expect(stdout).toContain('CALL-016 cannot be judged on a free case');
    expect(code).toBe(3);
  });

  it('says in one line what is wrong with a file, a name or a subject', async () => {
    await writeFile(cli.at('scenario.yaml'), SCENARIO);
    await writeFile(cli.at('unknown.yaml'), `case: 1\nid: x\ntitle: t\narea: call\nservers: { a: { scenario: { scenario: 1 } } }\nsteps: [{ open: true }]\njudge: [CALL-999]\n`);
    const wrong: readonly (readonly [string[], string])[] = [
      [['replay', 'none.yaml', '--subject', 'reference'], 'none.yaml cannot be read'],
      [['replay', 'scenario.yaml', '--subject', 'reference'], 'is a scenario, one server; a case has'],
      [['replay', 'unknown.yaml', '--subject', 'reference'], 'judge names CALL-999'],
      [['replay', 'R08', '--subject', 'nobody'], 'there is no subject of that name'],
      [['replay', 'R08'], 'say which bridge'],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
