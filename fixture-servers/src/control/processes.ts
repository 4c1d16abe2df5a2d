/** Processes by id, told apart from later ones that were given the same id. */
import { readFileSync } from 'node:fs';
import { systemErrorCode } from '../system-error.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a process that is not our child is looked at, in milliseconds: there is no event for its end. */
const POLL_MS = 5;

/** A process, named so that another with its id is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time from the process table, where the platform has one (Linux). */
  readonly startTime: string | undefined;
  /** Its id belongs to another process table, a container's: here it names some other process, or none. */
  readonly elsewhere?: true;
}

/** Names the process that has this id now. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: readStat(pid)?.startTime };
}

/** Names a process of another process table. It cannot be seen from here, so it counts as gone and is never signalled. */
export function identifyElsewhere(pid: number): ProcessIdentity {
  return { pid, startTime: undefined, elsewhere: true };
}

/** Whether it still runs. One that ended and only waits for its parent to notice counts as gone. */
export function isRunning(process_: ProcessIdentity): boolean {
  if (process_.elsewhere === true) return false;
  try {
    process.kill(process_.pid, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
  const stat = readStat(process_.pid);
  if (stat === undefined) return true;
  return stat.state !== 'Z' && stat.state !== 'X' && stat.startTime === process_.startTime;
}

/** Kills it, if it still runs. */
export function killHard(process_: ProcessIdentity): void {
  if (!isRunning(process_)) return;
  try {
    process.kill(process_.pid, 'SIGKILL');
  } catch {
    // It ended in between.
  }
}

/** Waits until it is gone. @returns false when it is still there after `limitMs`. */
export async function waitUntilGone(process_: ProcessIdentity, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (isRunning(process_)) {
    if (Date.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function readStat(pid: number): { state: string; startTime: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold anything; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
