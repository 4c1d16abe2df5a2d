/** Who is in a process group, read from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether a process of the group still runs, zombies apart: a zombie holds nothing and waits for its parent, which in
 * a container may never come.
 * @param proc where the system tells of its processes; another folder for tests
 * @returns `undefined` where it tells nothing (no Linux, or hidden).
 */
export function groupHasRunningMember(pgid: number, proc = '/proc'): boolean | undefined {
  let entries: string[];
  try {
    entries = readdirSync(proc);
  } catch {
    return undefined;
  }
  let readable = false;
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(`${proc}/${entry}/stat`);
    if (stat === undefined) continue;
    readable = true;
    if (stat.pgid === pgid && stat.state !== 'Z' && stat.state !== 'X') return true;
  }
  return readable ? false : undefined;
}

/** State letter and process group of one process, from its `stat`; the command name before them may hold any character, `)` included. */
function readStat(file: string): { state: string; pgid: number } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
  const [state, , pgid] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || pgid === undefined) return undefined;
  return { state, pgid: Number(pgid) };
}
