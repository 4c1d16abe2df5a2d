/**
 * What a run of the suite has started and is still alive, also where a process dropped the marker from its environment: whatever
 * was seen below a marked process is remembered with its time of start, so that an id that another process has by now is not taken for it.
 */
import { readFileSync } from 'node:fs';
import { markedBy, processParents } from '../adapter/process-tree.ts';

/** See the module's comment. */
export class Census {
  readonly #marker: string;
  /** By process id, when it started. */
  readonly #known = new Map<number, string>();

  /** @param marker `NAME=value` */
  constructor(marker: string) {
    this.#marker = marker;
  }

  /** Looks. @returns the ids of what is alive. */
  look(): number[] {
    const found = new Set(markedBy(this.#marker).filter((pid) => pid !== process.pid));
    for (const pid of this.#alive()) found.add(pid);
    if (found.size === 0) return [];
    const parents = processParents();
    for (let size = -1; size !== found.size;) {
      size = found.size;
      for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
    }
    for (const pid of found) {
      const started = startOf(pid);
      if (started !== undefined) this.#known.set(pid, started);
    }
    return this.#alive();
  }

  /** Of what is alive, that whose parent is not: a driver that its worker left behind, say. */
  roots(): number[] {
    const alive = new Set(this.look());
    return processParents().filter(([pid, parent]) => alive.has(pid) && !alive.has(parent)).map(([pid]) => pid);
  }

  #alive(): number[] {
    for (const [pid, started] of this.#known) if (startOf(pid) !== started) this.#known.delete(pid);
    return [...this.#known.keys()];
  }
}

/** When a live process started, in ticks of the system; `undefined` when it is gone, or has ended and only waits to be collected. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The third and the 22nd field of the line.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
