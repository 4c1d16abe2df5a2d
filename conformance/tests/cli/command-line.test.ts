import { spawn } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/reporters/report.ts';
import { CommandLine, subject } from '../support/command-line.ts';
import type { Ended } from '../support/run-program.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-bridge-conformance.js', import.meta.url));

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
});
afterAll(() => cli.end());

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => cli.run(args, { env });

async function readReport(): Promise<Report> {
  const report: Report = JSON.parse(await readFile(cli.at('reports', 'report.json'), 'utf8'));
  return report;
}

describe('the exit code of certify', () => {
  it('is 0 for the reference, and the report says who was certified, how and by what', async () => {
    const { code, stdout } = await run(['certify', '--subject', 'reference', '--only', 'NAMING-009']);
    expect(stdout).toContain('HELD');
    expect(code).toBe(0);
    const report = await readReport();
    expect(report).toMatchObject({
      subject: { name: 'cordis-plugin-mcp-bridge' }, suite: { name: 'mcp-bridge-conformance' }, certified: false, scope: 'part',
      counts: { pass: 1, fail: 0, notApplicable: 0, inconclusive: 0 }, verdicts: [{ invariant: 'NAMING-009', verdict: 'pass' }],
    });
  });

  it('is 1 for a bridge that breaks an invariant, and what is printed replays it', { timeout: 240_000 }, async () => {
    const { code, stdout } = await run(['certify', '--subject', subject('wrong-names'), '--only', 'NAMING-004/hostile-names', '--seed', '5']);
    expect(stdout).toContain('NOT CERTIFIED');
    expect(code).toBe(1);
    const replay = /replay {3}npx mcp-bridge-conformance (replay NAMING-004\/hostile-names .*)/.exec(stdout)?.[1];
    expect(replay).toMatch(/--seed 5 --path \d/);
    const again = await run((replay ?? '').split(' '));
    expect(again.code).toBe(1);
    const saved = await readdir(cli.at('reports', 'histories'));
    expect(saved).toContain('NAMING-004.hostile-names.fixture.5.json');
    const fromFile = await run(['replay', cli.at('reports', 'histories', 'NAMING-004.hostile-names.fixture.5.json')]);
    expect(fromFile.code).toBe(1);
  });

  it('is 3 when nothing could be decided', async () => {
    const { code, stdout } = await run(['certify', '--subject', subject('fake'), '--only', 'NAMING-009']);
    expect(stdout).toContain('inconclusive');
    expect(code).toBe(3);
  });

  it.each([
    ['describe', /^mcp-bridge-conformance: .*"describe".*bounds\.settleMs.*$/m],
    ['open', /NO VERDICT[^]*"open".*servers\.0\.status/],
    ['life', /NO VERDICT/],
  ])('is 2 when the adapter is wrong in "%s": that is no verdict about a bridge', async (wrong, told) => {
    const { code, stdout, stderr } = await run(['certify', '--subject', subject('fake'), '--only', 'NAMING-009'], { FAKE_WRONG: wrong });
    expect(stdout + stderr).not.toMatch(/\((misuse|invalid-reply)\)/);
    expect(stdout + stderr).toMatch(told);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });
});

it('an adapter that is wrong in the same way in many checks is told once, with how many they are', async () => {
  const { code, stdout } = await run(['smoke', '--subject', subject('fake')], { FAKE_WRONG: 'open' });
  const told = stdout.slice(stdout.indexOf('NO VERDICT')).split('\n').filter((line) => line.includes('servers.0.status'));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^ {2}[A-Z]+-\d+\/[a-z-]+ and \d+ more: the adapter's reply to "open" .*, found "splendid"$/);
  expect(code).toBe(2);
});

describe("a person's mistake is told in one line with the fix, without a stack, and ends with 2", () => {
  it.each<[string, string[], RegExp]>([
    ['no subject', ['certify'], /say which bridge: --subject/],
    ['an unknown subject', ['certify', '--subject', 'nobody'], /no subject of that name \(known: .*reference/],
    ['a file that is not there', ['certify', '--subject', './none.mjs'], /there is no file .*none\.mjs/],
    ['a module without createAdapter', ['certify', '--subject', subject('no-factory')], /exports no function "createAdapter"/],
    ['a subject and a driver', ['certify', '--subject', 'reference', '--driver', 'python3 driver.py'], /--subject and --driver both name the bridge; give one of them/],
    ['a driver that needs a shell', ['smoke', '--driver', 'a | b'], /--driver: "a \| b" asks a shell for "\|", and no shell is used/],
    ['a driver that is not there', ['smoke', '--driver', './none.py --x'], /the driver "\.\/none\.py --x" cannot be started: .*ENOENT/],
    ['a driver that ends at once', ['smoke', '--driver', 'node -e "process.exit(3)"'], /exited with code 3, with "describe" unanswered/],
    ['a time that is none', ['smoke', '--driver', 'x', '--timeout', '0'], /whole number of seconds/],
    ['an unknown level', ['certify', '--subject', 'reference', '--level', 'gold'], /core, seed, resilience/],
    ['a level the subject does not declare', ['certify', '--subject', subject('fake'), '--level', 'resilience'], /does not declare that level/],
    ['an unknown word after --only', ['certify', '--subject', 'reference', '--only', 'NAMING-000'], /NAMING-000: no such area/],
    ['nothing after --only', ['certify', '--subject', 'reference', '--only', ''], /--only is empty; name areas/],
    ['only commas after --only', ['certify', '--subject', 'reference', '--only', ', ,'], /--only is empty/],
    ['a word after --only that is nearly one', ['certify', '--subject', 'reference', '--only', 'NAMIN'], /did you mean naming\?/],
    ['a check that is nearly one', ['replay', 'NAMING-009/server-inf'], /did you mean NAMING-009\/server-info\?/],
    ['a folder instead of a history', ['replay', '.'], /^mcp-bridge-conformance: \. is a folder; give a file from reports\/histories/],
    ['a folder as the subject', ['smoke', '--subject', '.'], /--subject \.: this is a folder; give the path of a module/],
    ['an empty subject', ['smoke', '--subject', ''], /--subject is empty/],
    ['no command', [], /no command was given; see .*--help/],
    ['an adapter without a method that it needs', ['smoke', '--subject', subject('without-call')], /no method "call" \(it has "cal"\)/],
    ['a createAdapter that returns null', ['smoke', '--subject', subject('null-adapter')], /createAdapter returned null; return an object/],
    ['a seed that is none', ['certify', '--subject', 'reference', '--seed', 'x'], /whole number/],
    ['an unknown option', ['certify', '--subjet', 'reference'], /unknown option.*--subjet/],
    ['an unknown command', ['certfy'], /unknown command/],
    ['an unknown check', ['replay', 'NAMING-000/x', '--subject', 'reference'], /no such check/],
    ['a path for a check that is no property', ['replay', 'NAMING-009/server-info', '--subject', 'reference', '--path', '1'], /no property/],
  ])('%s', async (_what, args, told) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(told);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('a module whose syntax is wrong is told with its file and line', async () => {
    // Written here, since no tool of this repository reads a file that is no JavaScript.
    await writeFile(cli.at('broken.mjs'), 'export const createAdapter = () => ({\n  describe: 1,\n  close: }\n');
    const { code, stderr } = await run(['smoke', '--subject', './broken.mjs']);
    expect(stderr).toMatch(/^mcp-bridge-conformance: .*broken\.mjs cannot be loaded: Unexpected token '}' \(line 3\)\n$/);
    expect(code).toBe(2);
  });

  it('a module in TypeScript that Node does not read is told with what to do', async () => {
    // No Node reads an enum without being told to.
    await writeFile(cli.at('adapter.ts'), 'export enum Kind { A }\nexport const createAdapter = () => ({});\n');
    const { code, stderr } = await run(['smoke', '--subject', './adapter.ts']);
    expect(stderr).toMatch(/adapter\.ts cannot be loaded: .*; compile it, and name the JavaScript that comes of it\n$/);
    expect(code).toBe(2);
  });

  it('a file that is not JSON is told in one line, whatever lines it has', async () => {
    await writeFile(cli.at('bad.json'), '{\nnope\n}\n');
    const { code, stderr } = await run(['replay', 'bad.json']);
    expect(stderr).toMatch(/^mcp-bridge-conformance: bad\.json cannot be read as a saved history: .*; give a file from reports\/histories\n$/);
    expect(code).toBe(2);
  });

  it('a file that is no saved history', async () => {
    await writeFile(cli.at('other.json'), '{"history":1}');
    const { code, stderr } = await run(['replay', cli.at('other.json')]);
    expect(stderr).toMatch(/is no saved history/);
    expect(code).toBe(2);
  });
});

it('list ends without a word when the reader goes away early, as head does', async () => {
  const child = spawn(process.execPath, [BIN, 'list', '--json'], { cwd: cli.folder });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

it('list prints every check as JSON', async () => {
  const { code, stdout } = await run(['list', '--json']);
  expect(code).toBe(0);
  const rows: { check: string }[] = JSON.parse(stdout);
  expect(rows.map((row) => row.check)).toContain('NAMING-009/server-info');
});
