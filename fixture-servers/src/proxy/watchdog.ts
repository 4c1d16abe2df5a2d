import { spawn } from 'node:child_process';

/** Ends the process whose id it is given as soon as its input ends without the word that all is well. */
const SCRIPT = 'read -r word && exit 0; kill -KILL "$1"';

/** Sees to it that a process does not outlive this one. */
export interface Watchdog {
  /** The process has ended: nothing is left to watch. */
  dismiss(): void;
}

/**
 * Watches over a process by a small shell of its own, which learns from the end of a pipe that this process is gone, by
 * whatever signal. On Windows there is none: there the end of input has to do.
 */
export function startWatchdog(pid: number): Watchdog {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  // Its own session, so that what kills our group does not kill it; no environment, so that it holds none of our secrets.
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {}, cwd: '/' });
  shell.on('error', ignore);
  shell.stdin.on('error', ignore);
  shell.unref();
  return {
    dismiss() {
      shell.stdin.end('done\n');
    },
  };
}

function ignore(): void {
  // Without a shell the end of input has to do.
}
