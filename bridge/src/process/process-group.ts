/**
 * Process trees by POSIX process group: the child leads a group of its own, and a signal to the group reaches every
 * descendant that did not leave it (B07).
 *
 * Where it ends: a descendant that calls `setsid` or `setpgid` has left and is not reached. A wider tree (parent chain,
 * open pipes) would be another {@link ProcessTreeControl}, as Windows has one in `windows-tree.ts`.
 */
import { systemCode } from '../transport/narrow.ts';
import { groupHasRunningMember } from './group-members.ts';
import type { ProcessTree, ProcessTreeControl } from './process-tree.ts';
import { WindowsTree } from './windows-tree.ts';

/** Sends a signal; `process.kill` in production. */
export type KillProcess = (pid: number, signal: NodeJS.Signals | 0) => void;

const kill: KillProcess = (pid, signal) => void process.kill(pid, signal);

/** One process group, by the pid of its leader. */
class ProcessGroup implements ProcessTree {
  readonly #pgid: number;
  readonly #kill: KillProcess;
  /** Never signalled again once empty: the system may give the number to somebody else. */
  #gone = false;

  constructor(pgid: number, killProcess: KillProcess) {
    this.#pgid = pgid;
    this.#kill = killProcess;
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    return this.#send(signal);
  }

  isAlive(): boolean {
    if (!this.#send(0)) return false;
    if (groupHasRunningMember(this.#pgid) === false) this.#gone = true;
    return !this.#gone;
  }

  #send(signal: NodeJS.Signals | 0): boolean {
    if (this.#gone) return false;
    try {
      this.#kill(-this.#pgid, signal);
      return true;
    } catch (error) {
      // EPERM: somebody is there whom we may not signal. Anything else means that there is nobody.
      if (systemCode(error) === 'EPERM') return true;
      this.#gone = true;
      return false;
    }
  }
}

/** The process trees of this platform. `platform` and `killProcess` are for tests. */
export function processTreeControl(
  platform: NodeJS.Platform = process.platform,
  killProcess: KillProcess = kill,
): ProcessTreeControl {
  if (platform === 'win32') {
    return { spawnOptions: { detached: false }, treeOf: (child, pid) => new WindowsTree(child, pid) };
  }
  return { spawnOptions: { detached: true }, treeOf: (_child, pid) => new ProcessGroup(pid, killProcess) };
}
