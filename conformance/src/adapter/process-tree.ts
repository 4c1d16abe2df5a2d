/**
 * Ends a process with everything below it: its group, its descendants by parent, and whatever carries its marker in the
 * environment, which finds those whose parents are gone. Only what gives up all three escapes.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** How often new descendants are looked for while the known ones stand still: each round reaches one generation further. */
const MAX_ROUNDS = 20;

/** A process to end. */
export interface TreeRoot {
  /** Its id; it leads a process group of its own. */
  readonly pid: number;
  /** `NAME=value`, as it stands in the environment of the root and of what inherits from it. */
  readonly marker: string;
  /** Whether the root itself is known to be gone: its id may be another's by now. */
  readonly gone?: boolean;
}

/** Ends the whole tree at once, without grace. Does not throw; what is gone already is no error. */
export function killTree({ pid, marker, gone = false }: TreeRoot): void {
  if (process.platform === 'win32') {
    if (!gone) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  // A group outlives its leader, and no new process gets the id of a group that has members.
  const roots = gone ? [] : [pid];
  const found = new Set(roots);
  signal(-pid, 'SIGSTOP');
  for (const root of roots) signal(root, 'SIGSTOP');
  // Stopped first, so that nothing starts anything while it is looked for, and no id changes hands.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fresh = [...below(found), ...markedBy(marker)].filter((one) => one !== process.pid && !found.has(one));
    if (fresh.length === 0) break;
    for (const one of fresh) {
      found.add(one);
      signal(one, 'SIGSTOP');
    }
  }
  for (const one of found) signal(one, 'SIGKILL');
  signal(-pid, 'SIGKILL');
}

/** Ids of live processes whose environment carries a marker, `NAME=value`. None where there is no /proc. */
export function markedBy(marker: string): number[] {
  return processIds().filter((pid) => {
    try {
      return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0${marker}\0`);
    } catch {
      return false;
    }
  });
}

/** Children of these processes, and theirs. */
function below(roots: ReadonlySet<number>): number[] {
  const parents = processParents();
  const all = new Set(roots);
  for (let size = -1; size !== all.size;) {
    size = all.size;
    for (const [pid, parent] of parents) if (all.has(parent)) all.add(pid);
  }
  return [...all];
}

/** Every live process with its parent: from /proc, elsewhere from `ps`. */
export function processParents(): (readonly [pid: number, parent: number])[] {
  if (process.platform === 'linux') return processIds().flatMap((pid) => parentOf(pid));
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map((match) => [Number(match[1]), Number(match[2])] as const);
}

function parentOf(pid: number): (readonly [number, number])[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so the fields are counted from behind the last one.
    return [[pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
  } catch {
    return [];
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
