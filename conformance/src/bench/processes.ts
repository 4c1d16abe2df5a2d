/**
 * Which processes still run.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { nowMs } from '../history/clock.ts';

/** Between two looks, in milliseconds. */
const LOOK_EVERY_MS = 10;

/** Whether a process runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so the state is looked for behind the last one.
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    // Gone meanwhile, or a platform without /proc, where the signal has answered.
    return process.platform !== 'linux';
  }
}

/** Those of these processes that still run after at most `boundMs` milliseconds. */
export async function survivors(pids: readonly number[], boundMs: number): Promise<number[]> {
  const deadline = nowMs() + boundMs;
  let left = [...pids];
  for (;;) {
    const running = await Promise.all(left.map((pid) => isRunning(pid)));
    left = left.filter((_, index) => running[index]);
    if (left.length === 0 || nowMs() >= deadline) return left;
    await wait(LOOK_EVERY_MS);
  }
}
