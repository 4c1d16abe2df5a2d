/**
 * One server process and its descendants: started without a shell, told to leave step by step, proven gone
 * (S03, S58, S60, B07). Knows nothing of the protocol.
 */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionLimits } from '../connection-limits.ts';
import { guardUntilReleased } from './exit-guard.ts';
import { processTreeControl } from './process-group.ts';
import { waitUntilGone, type PipedChild, type ProcessTree, type ProcessTreeControl, type SpawnProcess } from './process-tree.ts';

/** What to start. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; nothing is added (S51). */
  readonly env: Readonly<Record<string, string>>;
  /** Default: the host's. */
  readonly cwd: string | undefined;
}

/** What a process needs of the outside world; production values by default. */
export interface ProcessEffects {
  readonly spawn?: SpawnProcess | undefined;
  readonly control?: ProcessTreeControl | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** How the leader ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const defaultSpawn: SpawnProcess = (command, args, options) => spawn(command, args, options);

/** See the module's comment. */
export class ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the leader has exited, whatever its descendants and pipes do. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: PipedChild;
  readonly #tree: ProcessTree;
  readonly #limits: ConnectionLimits;
  readonly #now: () => number;
  readonly #release: () => void;
  #exit: ProcessExit | undefined;
  #ending: Promise<boolean> | undefined;

  private constructor(child: PipedChild, pid: number, limits: ConnectionLimits, effects: ProcessEffects) {
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#child = child;
    this.#limits = limits;
    this.#now = effects.now ?? (() => performance.now());
    this.#tree = (effects.control ?? processTreeControl()).treeOf(child, pid);
    this.#release = guardUntilReleased(this.#tree);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
  }

  /** Starts the program. Rejects with what `spawn` reported; then there is no process. */
  static async start(program: ServerProgram, limits: ConnectionLimits, effects: ProcessEffects): Promise<ServerProcess> {
    const { detached } = (effects.control ?? processTreeControl()).spawnOptions;
    const child = (effects.spawn ?? defaultSpawn)(program.command, program.args, {
      cwd: program.cwd,
      env: program.env,
      detached,
      shell: false,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // Later errors of the child object (a signal that could not be sent) are no news: the tree is looked at anyway.
    const failed = new Promise<never>((_resolve, reject) => child.on('error', reject));
    if (child.pid === undefined) return failed;
    failed.catch(() => {});
    return new ServerProcess(child, child.pid, limits, effects);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How the leader ended, once it has. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /**
   * Asks the tree to leave: end of stdin, then SIGTERM, then SIGKILL, each with its time. Idempotent; bounded by
   * `closeGraceMs + terminateGraceMs + killWaitMs`.
   * @returns whether everything is gone.
   */
  close(): Promise<boolean> {
    this.#ending ??= this.#finish(this.#askToLeave());
    return this.#ending;
  }

  /** Kills the tree, for a leader that is gone or a connection that is no use. @returns whether everything is gone. */
  kill(): Promise<boolean> {
    this.#ending ??= this.#finish(false);
    return this.#ending;
  }

  async #askToLeave(): Promise<boolean> {
    this.stdin.end();
    if (await this.#gone(this.#limits.closeGraceMs)) return true;
    this.#tree.signal('SIGTERM');
    return this.#gone(this.#limits.terminateGraceMs);
  }

  async #finish(asked: Promise<boolean> | false): Promise<boolean> {
    const left = await asked;
    if (!left) this.#tree.signal('SIGKILL');
    const gone = left || (await this.#gone(this.#limits.killWaitMs));
    if (gone) this.#release();
    // What cannot be killed must not keep the host alive.
    else this.#child.unref();
    return gone;
  }

  /** Waits for the leader's exit and for the end of its tree, both within one limit. */
  async #gone(limitMs: number): Promise<boolean> {
    const deadline = this.#now() + limitMs;
    if (!(await settlesWithin(this.exited, limitMs))) return false;
    return waitUntilGone(this.#tree, Math.max(0, deadline - this.#now()), this.#now);
  }

  /** Closes our ends of the pipes; a helper that left the group may still hold the others. */
  destroyPipes(): void {
    this.stdin.destroy();
    this.stdout.destroy();
    this.stderr.destroy();
  }
}

/** Whether a promise settles within a time, in milliseconds. Leaves no timer behind. */
async function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
