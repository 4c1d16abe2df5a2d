/**
 * Process trees on Windows, which has no process groups and no signals: `taskkill /T` walks from the child to everything
 * that was started by it, and `/F` ends what it finds (B07).
 *
 * Where it ends: a process whose parent is gone is no longer in the tree. So what a server started and left behind when it
 * exited is not reached, and neither is what a launcher in between started before it left. A request without `/F` is heard by programs that have a
 * window; a console program ends by itself when its stdin does, or by force.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { ProcessTree } from './process-tree.ts';

/** A program that was started to end others: what is needed of a `ChildProcess`. */
export interface StartedTool {
  once(event: 'exit', listener: (code: number | null) => void): unknown;
  once(event: 'error', listener: () => void): unknown;
  unref(): void;
}

/** Starts a program without a window and without pipes. */
export type StartTool = (command: string, args: readonly string[]) => StartedTool;

const startTool: StartTool = (command, args) => spawn(command, args, { stdio: 'ignore', windowsHide: true });

/** By its full path: what is called `taskkill` in a working directory must not be run in its place. */
function taskkill(env: NodeJS.ProcessEnv): string {
  return `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
}

/** The processes of one child on Windows. See the module's comment. */
export class WindowsTree implements ProcessTree {
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #start: StartTool;
  /** Runs of `taskkill` that have not ended: until then it is unknown what they reached. */
  #pending = 0;

  /** `start` is for tests. */
  constructor(child: ChildProcess, pid: number, start: StartTool = startTool) {
    this.#child = child;
    this.#pid = pid;
    this.#start = start;
  }

  /** SIGTERM asks, SIGKILL forces. Nothing is sent once the child is gone: its number may be somebody else's. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    if (!this.#childRuns) return false;
    const isForced = signal === 'SIGKILL';
    this.#run(['/PID', String(this.#pid), '/T', ...(isForced ? ['/F'] : [])], isForced);
    return true;
  }

  isAlive(): boolean {
    return this.#childRuns || this.#pending > 0;
  }

  get #childRuns(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #run(args: readonly string[], isForced: boolean): void {
    let isOver = false;
    const end = (succeeded: boolean): void => {
      // A program that cannot be started may tell of it in both ways.
      if (isOver) return;
      isOver = true;
      this.#pending -= 1;
      // At least the child itself.
      if (isForced && !succeeded) this.#child.kill('SIGKILL');
    };
    this.#pending += 1;
    let tool: StartedTool;
    try {
      tool = this.#start(taskkill(process.env), args);
    } catch {
      end(false);
      return;
    }
    tool.once('error', () => end(false));
    tool.once('exit', (code) => end(code === 0));
    // Started from an exit handler too, and never a reason for the host to stay.
    tool.unref();
  }
}
