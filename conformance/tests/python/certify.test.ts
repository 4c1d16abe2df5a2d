import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outOfProcess } from '../../src/adapter/out-of-process.ts';
import { invariantById } from '../../src/catalogue/index.ts';
import { checks } from '../../src/checks/index.ts';
import type { Report } from '../../src/reporters/report.ts';
import { judgedLevels, whyNotApplicable } from '../../src/runner/applicability.ts';
import { runProgram } from '../support/run-program.ts';
import { PYTHON_DRIVER, PYTHON_SUBJECT, withoutPython } from './python.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-bridge-conformance.js', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conformance-python-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function judged(args: readonly string[], file: string): Promise<Report> {
  const { code, stdout, stderr } = await runProgram(process.execPath, [BIN, ...args, '--driver', PYTHON_DRIVER], { cwd: folder });
  expect(`${stdout}${stderr}`).toContain('HELD');
  expect(code).toBe(0);
  const report: Report = JSON.parse(await readFile(path.join(folder, 'reports', file), 'utf8'));
  expect(report.subject).toMatchObject({ name: 'python-bridge' });
  return report;
}

it.skipIf(withoutPython)('the bridge in Python comes through smoke', { timeout: 120_000 }, async () => {
  const report = await judged(['smoke'], 'smoke.json');
  expect(report.counts).toMatchObject({ fail: 0, inconclusive: 0 });
});

/** Every check against scripted servers, and why it does not apply to the bridge in Python. */
async function applying(): Promise<readonly { readonly check: string; readonly invariant: string; readonly level: string; readonly why: string | undefined }[]> {
  const driver = outOfProcess({ command: 'python3', args: [`${PYTHON_SUBJECT}driver.py`] });
  const subject = await driver.describe();
  await driver.end('in-order');
  return checks.map((check) => {
    const plan = { check, invariant: invariantById(check.invariant), target: 'fixture' as const };
    return { check: check.id, invariant: check.invariant, level: plan.invariant.level, why: whyNotApplicable(plan, subject, judgedLevels(subject, undefined)) };
  });
}

it.skipIf(withoutPython)('the bridge in Python declares so much that 47 invariants of core apply; nothing but a feature or a transport that it lacks keeps one from it', async () => {
  const reasons = (await applying()).filter(({ level }) => level === 'core');
  const applied = new Set(reasons.filter(({ why }) => why === undefined).map(({ invariant }) => invariant));
  expect(applied.size).toBeGreaterThanOrEqual(47);
  const others = new Set(reasons.flatMap(({ why }) => why ?? []));
  expect([...others].filter((why) => !/feature (?:images|output-validation|shared-registry|policies)$|transport streamable-http$/.test(why))).toEqual([]);
});

/** What a bridge in another language is most likely to get wrong; all of `core` would take a minute. */
const HARD = ['NAMING-010', 'DISCOVERY-003', 'DISCOVERY-010', 'GENERATION-007', 'WIRE-006', 'CALL-001', 'CALL-010', 'PROJECTION-004', 'CONNECTION-014', 'ISOLATION-003'];

it.skipIf(withoutPython)('the bridge in Python holds invariants of every kind, none of them not applicable', { timeout: 180_000 }, async () => {
  const report = await judged(['certify', '--level', 'core', '--only', HARD.join(',')], 'report.json');
  expect(report.counts).toMatchObject({ pass: HARD.length, fail: 0, notApplicable: 0, inconclusive: 0 });
});

/** Nobody can see tokens of a bridge that asks for no progress. */
const WITHOUT_PROGRESS = 1;

it.skipIf(withoutPython)('the bridge in Python holds what it declares beyond core, its states in an outage among that', { timeout: 180_000 }, async () => {
  const declared = (await applying()).filter(({ level, why }) => level !== 'core' && why === undefined);
  expect(declared.map(({ check }) => check)).toEqual(expect.arrayContaining(['CONNECTION-040/through-an-outage', 'CONNECTION-040/given-up']));
  const report = await judged(['certify', '--only', declared.map(({ check }) => check).join(',')], 'report.json');
  const invariants = new Set(declared.map(({ invariant }) => invariant));
  expect(invariants).toContain('WIRE-031');
  expect(report.counts).toMatchObject({ pass: invariants.size - WITHOUT_PROGRESS, fail: 0, notApplicable: WITHOUT_PROGRESS, inconclusive: 0 });
});
