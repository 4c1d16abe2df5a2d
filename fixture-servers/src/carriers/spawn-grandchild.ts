import { fileURLToPath } from 'node:url';
import type { GrandchildOptions } from '../engine/events.ts';

const PROGRAM = fileURLToPath(new URL('./grandchild.js', import.meta.url));

/**
 * Starts a grandchild and resolves with its process id when it is ready.
 * With `holdStdio` it inherits stdout and stderr and so keeps the client's pipes open after its parent (B07).
 * @throws Error when the process cannot be started.
 */
export async function spawnGrandchild(options: GrandchildOptions): Promise<number> {
  // Loaded only here: few scenarios have a grandchild, and every fixture process pays for what it loads.
  const { spawn } = await import('node:child_process');
  const out = options.holdStdio ? 'inherit' : 'ignore';
  const child = spawn(
    process.execPath,
    [PROGRAM, String(options.lifetimeMs), ...(options.ignoreTerm ? ['ignore-term'] : [])],
    { stdio: ['ignore', out, out, 'pipe'], detached: options.ownGroup },
  );
  child.unref();
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('the grandchild ended before it was ready')));
    const ready = child.stdio[3];
    ready?.once('close', resolve);
    ready?.on('data', () => undefined);
  });
  child.removeAllListeners('exit');
  if (child.pid === undefined) throw new Error('the grandchild has no process id');
  return child.pid;
}
