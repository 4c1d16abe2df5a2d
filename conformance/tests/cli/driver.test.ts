import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markedBy } from '../../src/adapter/process-tree.ts';
import { plansOf } from '../../src/runner/plans.ts';
import { reportFile } from '../../src/reporters/report-schema.ts';
import type { Report } from '../../src/reporters/report.ts';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const BIN = file('../../bin/mcp-bridge-conformance.js');
const FAKE = file('./subjects/fake.mjs');
const scripted = (...faults: string[]): string => `node ${file('../drivers/scripted-driver.mjs')} ${faults.join(' ')}`;
/** Short, and still more than a node needs to start on a busy machine. */
const LIMITS = JSON.stringify({ startMs: 4_000, answerMs: 1_000, blockedMs: 2_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conformance-driver-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly text: string;
  readonly report: Report;
}

/** Certifies; afterwards no process that it started may be left. */
async function certify(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const mark = `MCPBC_TEST_RUN=${randomUUID()}`;
  const [name = '', value = ''] = mark.split('=');
  const child = spawn(process.execPath, [BIN, 'certify', ...args], { cwd: folder, env: { ...process.env, NO_COLOR: '1', [name]: value, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(markedBy(mark)).toEqual([]);
  const report: Report = JSON.parse(await readFile(path.join(folder, 'reports', 'report.json'), 'utf8'));
  return { code, text, report };
}

/** Every run with its verdict. */
const verdictsOf = (report: Report): string[] =>
  report.verdicts.flatMap(({ runs }) => runs.map(({ check, target, verdict }) => `${check} on ${target}: ${verdict}`)).sort();

describe('the reference behind a driver', () => {
  const only = ['--only', 'ENVIRONMENT-001,HOST-001,CALL-003,NAMING-009'];

  it('gets the same verdicts as in process, with one driver process for all checks of a worker', async () => {
    const starts = path.join(folder, 'starts');
    const driver = await certify([...only, '--workers', '1', '--driver', `node ${file('../drivers/counted-reference.mjs')}`], { MCPBC_STARTS: starts });
    const inProcess = await certify([...only, '--subject', 'reference']);
    expect(driver.report.driverErrors).toEqual([]);
    expect(verdictsOf(driver.report)).toEqual(verdictsOf(inProcess.report));
    expect(driver.report.counts.pass).toBe(4);
    expect([driver.code, inProcess.code]).toEqual([0, 0]);
    // One to ask who it is, and one that four areas share.
    expect((await readFile(starts, 'utf8')).trim().split('\n')).toHaveLength(2);
    // Two certifications, each with a vitest of its own.
  }, 180_000);
});

describe('a failure behind a driver', () => {
  it('is printed with a command that replays it through the driver', async () => {
    // It opens, and then offers nothing: what is listed is not registered.
    const { text, code } = await certify(['--only', 'ISOLATION-001', '--driver', scripted('nothing wrong')]);
    expect(text).toMatch(/replay {3}npx mcp-bridge-conformance replay ISOLATION-001\/\S+ --driver '(node .*scripted-driver\.mjs nothing wrong)' --seed \d+/);
    expect(code).not.toBe(2);
  });
});

describe('a subject that hangs or ends costs no verdict but its own, and the run ends', () => {
  it('a driver that hangs whenever it is asked to open', async () => {
    const { report, code } = await certify(['--only', 'HOST-001,ENVIRONMENT-001', '--driver', scripted('open=hang')], { MCP_CONFORMANCE_LIMITS: LIMITS });
    expect(report.driverErrors.map((error) => error.code)).toEqual(expect.arrayContaining(['driver-hung']));
    expect(report.driverErrors.flatMap(({ runs }) => runs).length).toBeGreaterThan(0);
    expect(report.verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')).toEqual([]);
    expect(code).toBe(2);
  });

  it('an adapter that keeps its process from the event loop, in one check of two', async () => {
    const { report, text, code } = await certify(['--only', 'HOST-001,ISOLATION-001', '--subject', FAKE], { FAKE_WRONG: 'block-many', MCP_CONFORMANCE_LIMITS: LIMITS });
    expect(report.driverErrors).toEqual([expect.objectContaining({
      code: 'driver-hung', message: 'the subject did not come back to the event loop for 2000 ms; its process was killed',
      runs: expect.arrayContaining([expect.objectContaining({ check: expect.stringMatching(/^ISOLATION-001/), target: 'fixture' })]),
      // The process died with its history; what it was asked last was noted beside.
      lost: [expect.objectContaining({ stimulus: expect.stringMatching(/^ask open /), replay: expect.stringMatching(/replay ISOLATION-001\/\S+ --subject/), text: expect.stringMatching(/trace {4}what the suite asked[^]*ask {7}open /) })],
    })]);
    expect(report.verdicts.map(({ invariant }) => invariant)).toEqual(['HOST-001']);
    expect(text).toMatch(/NO VERDICT/);
    expect(code).toBe(2);
  });

  it('one that is still at it when the time is over', async () => {
    const { report, code } = await certify(['--only', 'HOST-001', '--timeout', '4', '--subject', FAKE], { FAKE_WRONG: 'block-open' });
    expect(report.driverErrors.map((error) => error.code)).toEqual(['not-tried']);
    expect(report.driverErrors[0]?.message).toMatch(/time limit of 4 s.*--timeout/);
    expect(code).toBe(2);
  });
});

describe('a run that an error of the way cost', () => {
  it('leaves its history, a trace and a command, and says at what a driver died', async () => {
    const { report, text, code } = await certify(['--only', 'ISOLATION-001', '--driver', scripted('open=exit')]);
    expect(code).toBe(2);
    const lost = report.driverErrors[0]?.lost?.[0];
    expect(lost).toMatchObject({ check: expect.stringMatching(/^ISOLATION-001/), target: 'fixture', stimulus: expect.stringMatching(/^ask open /) });
    expect(text).toMatch(/ISOLATION-001 has no verdict: [^]*error {4}the driver .*exited with code 7[^]*last {5}ask {7}open .*[^]*trace {4}milliseconds[^]*\n> +\d+\.\d {2}ask {7}open .*[^]*history {2}reports\/histories\/ISOLATION-001/);
    expect(text).toMatch(/NO VERDICT[^]*ISOLATION-001\/\S+, at ask open .*\n {6}npx mcp-bridge-conformance replay ISOLATION-001\/\S+ --driver/);
    const saved: unknown = JSON.parse(await readFile(path.join(folder, 'reports', lost?.histories?.[0] ?? ''), 'utf8'));
    expect(saved).toMatchObject({ history: 1, check: lost?.check });
    expect(reportFile.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  }, 60_000);
});

describe('a time limit that strikes while workers start and work', () => {
  it.each([['1'], ['3']])('ends with a report of what was not tried, with %s of them', async (workers) => {
    const begunMs = performance.now();
    const { report, code } = await certify(['--only', 'config,naming,wire,host', '--timeout', '3', '--workers', workers, '--driver', scripted('open=silent')]);
    expect(performance.now() - begunMs).toBeLessThan(20_000);
    expect(code).toBe(2);
    expect(report.driverErrors.map((error) => error.code)).toContain('not-tried');
    const judged = report.verdicts.flatMap(({ runs }) => runs.map(({ check, target }) => ({ check, target })));
    const all = plansOf({ only: ['config', 'naming', 'wire', 'host'] }).map(({ check, target }) => ({ check: check.id, target }));
    expect([...judged, ...report.driverErrors.flatMap(({ runs }) => runs)]).toEqual(expect.arrayContaining(all));
  }, 60_000);
});

it('a subject that never comes back when it is asked who it is, is told in one line', async () => {
  const child = spawn(process.execPath, [BIN, 'smoke', '--subject', FAKE], {
    cwd: folder, env: { ...process.env, FAKE_WRONG: 'block-describe', MCP_CONFORMANCE_LIMITS: JSON.stringify({ startMs: 100 }) },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(stderr).toMatch(/^mcp-bridge-conformance: the subject cannot be started: it did not come back within 5100 ms, and was killed; .*\n$/);
  expect(code).toBe(2);
});
