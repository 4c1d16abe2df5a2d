// `npm test`: lint, import directions, generated files, then every test. All steps run; any that fails fails the whole.
// The last line is always `N passed, N failed, N skipped`, over tests and steps together.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const results = path.join(root, 'reports', 'tests.json');
const passed = process.argv.slice(2);

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {boolean}
 */
function step(name, args) {
  console.log(`\n== ${name}`);
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (result.error) console.error(`${name}: could not start: ${result.error.message}`);
  return result.status === 0;
}

/** @param {string} tool */
const bin = (tool) => path.join(root, 'node_modules', tool);

const counts = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const broken = [];
/**
 * @param {string} name
 * @param {string[]} args
 */
function gate(name, args) {
  if (step(name, args)) counts.passed += 1;
  else {
    counts.failed += 1;
    broken.push(name);
  }
}

// With a file named, only that file: the gates are for the whole.
if (passed.length === 0) {
  gate('lint', [bin('oxlint/bin/oxlint'), '--type-aware']);
  gate('import directions', ['scripts/check-imports.mjs']);
  gate('generated files', ['scripts/refresh-snapshots.mjs', '--check']);
}

// Here, so that it costs no test's time. Where it cannot be had, the tests that need it say so, and fail in CI.
step('Node 24 for what needs it', ['scripts/node24/setup.mjs']);

mkdirSync(path.dirname(results), { recursive: true });
rmSync(results, { force: true });
const ran = step('tests', [
  bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...passed,
]);
if (existsSync(results)) {
  const report = JSON.parse(readFileSync(results, 'utf8'));
  counts.passed += report.numPassedTests;
  counts.failed += report.numFailedTests;
  counts.skipped += report.numPendingTests + (report.numTodoTests ?? 0);
  if (!ran && report.numFailedTests === 0) {
    counts.failed += 1;
    broken.push('tests (an error outside any test, see above)');
  } else if (!ran) broken.push('tests');
} else {
  counts.failed += 1;
  broken.push('tests (no result file: the runner itself failed)');
}
if (counts.skipped > 0 && process.env['CI']) {
  counts.failed += 1;
  broken.push(`${counts.skipped} skipped tests (in CI nothing may be skipped)`);
}

if (broken.length > 0) console.log(`\nfailed: ${broken.join(', ')}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;
