/**
 * A server's processes as one thing that can be signalled and waited for. What belongs to the tree and how it is reached
 * differs by platform; everything else in the bridge uses these two interfaces only.
 */
import type { ChildProcess, SpawnOptionsWithStdioTuple, StdioPipe } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A child whose three streams are pipes. */
export type PipedChild = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };

/** How a process is started; `child_process.spawn` in production. */
export type SpawnProcess = (
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe>,
) => PipedChild;

/** The processes of one spawn. */
export interface ProcessTree {
  /** Sends a signal to every member that can be reached. Never throws; `false` when none was left. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): boolean;
  /** Whether a member still runs; a zombie does not. Once `false`, always `false`. */
  isAlive(): boolean;
}

/** How processes are started so that their tree can be reached later. */
export interface ProcessTreeControl {
  /** What `spawn` has to be given. */
  readonly spawnOptions: { readonly detached: boolean };
  /** The tree of a child that has just been started with {@link spawnOptions}; `pid` is the child's. */
  treeOf(child: ChildProcess, pid: number): ProcessTree;
}

/** First pause between two looks at the tree, in milliseconds; most trees are gone by the first. */
const FIRST_LOOK_MS = 2;
/** Longest pause between two looks, in milliseconds: nobody tells when a process that is no child of ours ends. */
const LONGEST_LOOK_MS = 40;

/** Waits until no member runs, at most `limitMs` milliseconds. @returns whether the tree is gone. */
export async function waitUntilGone(tree: ProcessTree, limitMs: number, now: () => number): Promise<boolean> {
  const deadline = now() + limitMs;
  for (let pause = FIRST_LOOK_MS; tree.isAlive(); pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const left = deadline - now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
  return true;
}
