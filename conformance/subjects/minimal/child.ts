/**
 * The process of a server and everything it starts: one process group, which is ended as a whole (ISOLATION-003). Gone is
 * a process when it exited, not when its pipes closed, since a helper may hold them.
 */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';

/** How to reach a server by a process. */
export type StdioSpec = Extract<ServerSpec, { readonly transport: 'stdio' }>;

/** How long a process may take to leave after its input ended, and again after SIGTERM, in milliseconds. */
const GRACE_MS = 400;
/** How long what it wrote last may take to come out of the pipe, in milliseconds. */
const DRAIN_MS = 200;
/** Characters that are kept of what it said on stderr. */
const TAIL_CHARS = 500;
/** What a child inherits beside what its entry says; secrets of the host are not its business. */
const INHERITED = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** A process that runs, or never did. */
export interface Child {
  /** Writes bytes; nothing happens when nobody reads any more. */
  write(text: string): void;
  /** Resolves with the reason when the process is gone and its last output was read. */
  readonly gone: Promise<string>;
  /** Ends it and all it started: end of input, SIGTERM, SIGKILL. Resolves when it is gone. */
  end(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

/** Starts a process. One that cannot be started is gone with the reason. */
export function startChild(spec: StdioSpec, onOutput: (chunk: Buffer) => void): Child {
  const inherited = Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const child = spawn(spec.command, spec.args, {
    // A group of its own, so that what it starts can be ended with it.
    detached: true, env: { ...inherited, ...spec.env }, stdio: 'pipe', ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
  });
  const { pid } = child;
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (pid !== undefined) process.kill(-pid, name);
    } catch {
      // Nobody of the group is left.
    }
  };
  let tail = '';
  child.stdout.on('data', onOutput);
  child.stderr.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-TAIL_CHARS)));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);

  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it cannot be started: ${error.message}`));
    child.once('exit', (code, name) => resolve(name === null ? `it exited with code ${code}` : `it was ended by ${name}`));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const gone = exited.then(async (reason) => {
    await Promise.race([closed, wait(DRAIN_MS)]);
    signal('SIGKILL');
    child.stdout.destroy();
    return tail.trim() === '' ? reason : `${reason}; it said: ${tail.trim()}`;
  });
  return {
    gone,
    write: (text) => void (child.stdin.writable && child.stdin.write(text)),
    kill: () => signal('SIGKILL'),
    async end() {
      child.stdin.end();
      for (const name of ['SIGTERM', 'SIGKILL'] as const) {
        if (await Promise.race([exited, wait(GRACE_MS, undefined)]) !== undefined) break;
        signal(name);
      }
      await gone;
    },
  };
}
