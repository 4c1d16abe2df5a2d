import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/reporters/report.ts';
import type { RunSummary } from '../../src/runner/result.ts';
import { CommandLine, subject } from '../support/command-line.ts';
import type { Ended } from '../support/run-program.ts';

/** Breaks one recommendation. */
const MUTANT = 'CALL-002/omits-empty-arguments';

/** Under these nothing can start a process or a thread. */
const NO_PROCESS = [process.versions.node.startsWith('20.') ? '--experimental-permission' : '--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--no-warnings'];

let line: CommandLine;
let certified: Ended;

async function edit(change: (report: Report) => unknown): Promise<void> {
  const file = line.at('moved', 'report.json');
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
}

/** The report with each run changed. */
const withRuns = (report: Report, change: (run: RunSummary) => RunSummary): Report => ({
  ...report, verdicts: report.verdicts.map((one) => ({ ...one, runs: one.runs.map((run) => change(run)) })),
});

/** What each run said. */
const verdicts = (report: Report | undefined): string[] => (report?.verdicts ?? []).flatMap(({ runs }) => runs.map((run) => `${run.check} ${run.target} ${run.verdict} ${run.message}`));

const analyzeMoved = (): Promise<Ended> => line.run(['analyze', 'moved'], { node: NO_PROCESS });

beforeAll(async () => {
  line = await CommandLine.start();
  certified = await line.run(['certify', '--subject', subject('mutant'), '--only', 'CALL-002,NAMING-009,NAMING-007', '--strict'], { env: { MUTANT } });
  await rename(line.at('reports'), line.at('moved'));
}, 240_000);
afterAll(() => line.end());

describe('a certification', () => {
  it('saves every run small, also those that passed, and each property with all its inputs', async () => {
    expect(certified.code).toBe(1);
    const saved = await readdir(line.at('moved', 'histories'));
    expect(saved.filter((file) => file.endsWith('.run.json.gz')).sort()).toEqual(expect.arrayContaining([
      'CALL-002.none.fixture.run.json.gz', 'NAMING-007.hostile-names.fixture.run.json.gz', 'NAMING-009.server-info.fixture.run.json.gz',
    ]));
  });
});

describe('analyze', () => {
  it('gives the same verdicts where no process can be started, with no subject, and elsewhere', async () => {
    const { code, stdout, stderr } = await analyzeMoved();
    expect(stderr).toBe('');
    expect(stdout).toContain('Every verdict is the same as when it ran.');
    expect(stdout).toMatch(/^Judged again: [3-9] runs; 0 did not apply\.$/m);
    expect(stdout).toContain('CALL-002 failed');
    expect(code).toBe(1);
    const [before, after]: Report[] = await Promise.all(['report.json', 'analysis.json'].map(async (file) => JSON.parse(await readFile(line.at('moved', file), 'utf8'))));
    expect(verdicts(after)).toEqual(verdicts(before));
  });

  it('says where a verdict differs from the saved one, and ends as the certification would have', async () => {
    await edit((report) => withRuns(report, (run) => ({ ...run, verdict: 'pass' })));
    const { code, stdout } = await analyzeMoved();
    expect(stdout).toMatch(/^1 verdict differs from that when it ran:[^]*^ {2}CALL-002\/none: was pass, is fail: /m);
    expect(code).toBe(1);
  });

  it('lets a saved verdict stand, and says so, where the run is gone, lies elsewhere, or is of another certification', async () => {
    await edit((report) => withRuns(report, (run) => (run.check === 'NAMING-009/server-info' ? { ...run, run: '../../etc/passwd' } : run)));
    await rm(line.at('moved', 'histories', 'CALL-002.none.fixture.run.json.gz'));
    const { stdout } = await analyzeMoved();
    expect(stdout).toMatch(/^ {2}NAMING-009\/server-info: \.\.\/\.\.\/etc\/passwd leaves the reports folder$/m);
    expect(stdout).toMatch(/^ {2}CALL-002\/none: .*cannot be read: ENOENT/m);
    await edit((report) => ({ ...report, startedAt: '2020-01-01T00:00:00.000Z' }));
    expect((await analyzeMoved()).stdout).toMatch(/^ {2}NAMING-007\/hostile-names: .*belongs to another certification/m);
  });
});

describe('report', () => {
  it('prints Markdown, and writes JUnit XML and JSON where it is told to', async () => {
    const markdown = await line.run(['report', 'moved/report.json']);
    expect(markdown).toMatchObject({ code: 0, stderr: '' });
    expect(markdown.stdout).toMatch(/^# `cordis-plugin-mcp-bridge /);
    for (const [format, file, start] of [['junit', 'out/junit.xml', /^<\?xml [^]*<testsuite name="naming"/], ['json', 'out/r.json', /^\{\n {2}"report": 1,/]] as const) {
      expect(await line.run(['report', 'moved', '--format', format, '-o', file])).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(await readFile(line.at(file), 'utf8')).toMatch(start);
    }
  });
});

describe("a person's mistake with a saved certification", () => {
  it.each<[string, string[], RegExp]>([
    ['a folder without a report', ['analyze', '.'], /^mcp-bridge-conformance: there is no report report\.json; give the folder that certify wrote/],
    ['a file that is no JSON', ['report', 'bad.json'], /bad\.json cannot be read as a report: .*; give the report\.json/],
    ['a file that is no report', ['report', 'other.json'], /other\.json is no report of this suite: report .*; give the report\.json/],
    ['a format that is none', ['report', 'moved', '--format', 'html'], /html.*json, junit, markdown/],
    ['a place that cannot be written', ['report', 'moved', '-o', 'bad.json/x.md'], /-o bad\.json\/x\.md: it cannot be written/],
  ])('%s is told in one line, and ends with 2', async (_what, args, told) => {
    await writeFile(line.at('bad.json'), '{\nnope\n}');
    await writeFile(line.at('other.json'), '{}');
    const { code, stdout, stderr } = await line.run(args);
    expect(stderr).toMatch(told);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
