import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CommandLine } from '../support/command-line.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-bridge-conformance.js', import.meta.url));
const STUBBORN = fileURLToPath(new URL('../drivers/stubborn-driver.mjs', import.meta.url));
/** What a driver is promised after the end of its input, and again as much for a busy machine. */
const PROMISED_MS = 2 * 10_000;

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.end());

/** Ids of the drivers that were asked to open, and of their helpers. */
function processesIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    // What has ended and was not collected yet runs no more.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Certifies a driver that nothing ends, and sends the signal once one is at work. @returns how it ended, and what was left then */
async function interrupted(signal: NodeJS.Signals): Promise<{ readonly ended: number | string | null; readonly started: number[]; readonly left: number[] }> {
  const file = line.at(signal);
  const child = spawn(process.execPath, [BIN, 'certify', '--driver', `node ${STUBBORN} ${file}`, '--only', 'HOST-001', '--reports', line.at(`reports-${signal}`)], {
    cwd: line.folder, stdio: 'ignore',
  });
  const ended = new Promise<number | string | null>((resolve) => child.once('exit', (code, by) => resolve(code ?? by)));
  await vi.waitFor(() => expect(processesIn(file).length).toBeGreaterThan(0), { timeout: 60_000, interval: 50 });
  child.kill(signal);
  const how = await ended;
  const started = processesIn(file);
  return { ended: how, started, left: started.filter(isAlive) };
}

it('leaves no driver and no helper of one, however stubborn they are: before it ends by a signal, and soon after it is killed', async () => {
  const [int, term, kill] = await Promise.all([
    interrupted('SIGINT'), interrupted('SIGTERM'),
    interrupted('SIGKILL').then(async (killed) => {
      await vi.waitFor(() => expect(killed.started.filter(isAlive)).toEqual([]), { timeout: PROMISED_MS, interval: 100 });
      return killed;
    }),
  ]);
  expect([int, term, kill].map(({ ended }) => ended)).toEqual([130, 143, 'SIGKILL']);
  expect([int, term].flatMap(({ left }) => left)).toEqual([]);
}, 120_000);
