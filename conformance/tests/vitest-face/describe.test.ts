import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

interface TestReport {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const FOLDER = fileURLToPath(new URL('./author/', import.meta.url));
const VITEST = path.join(path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** Runs the author's test file with vitest, in a process of its own. */
function runAuthors(): Promise<readonly TestReport[]> {
  return new Promise((resolve, reject) => {
    // VITEST_* of the run around it would make it a part of that run.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
    execFile(process.execPath, [VITEST, 'run', '--root', FOLDER, '--reporter=json'], { env, maxBuffer: 1 << 24 }, (_error, stdout, stderr) => {
      try {
        const report: { testResults: { assertionResults: TestReport[] }[] } = JSON.parse(stdout.slice(stdout.indexOf('{')));
        resolve(report.testResults.flatMap((file) => file.assertionResults));
      } catch {
        reject(new Error(`no JSON: ${stdout}\n${stderr}`));
      }
    });
  });
}

describe('the suite in the vitest of a bridge author', () => {
  let tests: readonly TestReport[];
  beforeAll(async () => {
    tests = await runAuthors();
  });
  const find = (name: string): TestReport | undefined => tests.find((test) => test.fullName.includes(name));

  it('passes a check that holds', () => {
    expect(find('NAMING-009')?.status).toBe('passed');
  });

  it('fails a check that does not, and the message is the whole failure text with a command that replays it', () => {
    const failed = find('NAMING-004/vectors');
    expect(failed?.status).toBe('failed');
    const message = failed?.failureMessages[0] ?? '';
    expect(message).toMatch(/NAMING-004 failed: /);
    expect(message).toMatch(/trace/);
    expect(message).toMatch(/MCP_CONFORMANCE_ONLY=NAMING-004\/vectors MCP_CONFORMANCE_SEED=\d+ npx vitest run/);
    expect(message).not.toMatch(/^\s+at /m);
  });

  it('runs through a driver too', () => {
    const driven = find('HOST-001');
    expect(driven?.status).toBe('failed');
    // It offers no tool, so nothing can be said about the bridge that it does not have.
    expect(driven?.failureMessages[0]).toMatch(/^(Error: )?HOST-001 (inconclusive|failed): /);
  });

  it('skips what does not apply', () => {
    expect(find('GENERATION-003')?.status).toBe('skipped');
  });
});
