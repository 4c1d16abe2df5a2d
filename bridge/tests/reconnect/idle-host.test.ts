import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const HOST = fileURLToPath(new URL('./idle-host.mjs', import.meta.url));
/** Far below the delay of the retry that waits, far above what a busy machine needs. */
const LIMIT_MS = 50_000;

it('does not keep a finished host alive while a retry waits (S60)', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [HOST], { timeout: LIMIT_MS });
  expect(stdout).toContain('missing: reconnecting: attempt 1 of 10 in 600000 ms');
  expect(stdout.trimEnd().endsWith('activated')).toBe(true);
});
