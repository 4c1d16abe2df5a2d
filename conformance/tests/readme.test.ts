import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Report } from '../src/reporters/report.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const BIN = path.join(PACKAGE, 'bin', 'mcp-bridge-conformance.js');

let folder: string;
beforeAll(async () => {
  // Inside the package, where its dependencies are found.
  folder = await mkdtemp(path.join(PACKAGE, 'node_modules', '.readme-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the adapter in the README works: smoke gives verdicts, and most are good', async () => {
  const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
  const adapter = /```js\n(import \{ completeAdapter[^]*?)```/.exec(readme)?.[1];
  await writeFile(path.join(folder, 'my-adapter.mjs'), adapter ?? '');
  const code = await new Promise<number | null>((resolve) => {
    const child = execFile(process.execPath, [BIN, 'smoke', '--subject', './my-adapter.mjs'], { cwd: folder }, () => resolve(child.exitCode));
  });
  const report: Report = JSON.parse(await readFile(path.join(folder, 'reports', 'smoke.json'), 'utf8'));
  expect(report.driverErrors).toEqual([]);
  expect(report.subject.name).toBe('my-bridge');
  expect(report.counts.pass).toBeGreaterThanOrEqual(3);
  // As the README says: this bridge reads one page.
  expect(code).toBe(1);
  expect(readme).toMatch(/ends with 1, as it should: DISCOVERY-001 fails/);
  expect(report.verdicts.filter((one) => one.verdict === 'fail').map((one) => one.invariant)).toContain('DISCOVERY-001');
  // Otherwise the servers' own words would stand among the verdicts.
  expect(adapter).toContain("stderr: 'ignore'");
});
