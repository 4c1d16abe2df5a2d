import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { guardUntilReleased } from '../../src/process/exit-guard.ts';
import type { ProcessTree } from '../../src/process/process-tree.ts';
import { firstText, isRunning } from '../helpers/scripted-session.ts';

const dist = new URL('../../dist/', import.meta.url);
const script = fileURLToPath(new URL('../helpers/scripted-server.mjs', import.meta.url));

it('watches for the end of the host while there is something to guard, with one listener', () => {
  const before = process.listenerCount('exit');
  const releases = Array.from({ length: 3 }, () => guardUntilReleased({ signal: () => true, isAlive: () => true }));
  expect(process.listenerCount('exit')).toBe(before + 1);
  releases[0]?.();
  releases[0]?.();
  releases[1]?.();
  expect(process.listenerCount('exit')).toBe(before + 1);
  releases[2]?.();
  expect(process.listenerCount('exit')).toBe(before);
});

it('kills every tree that is left when the host ends, and none that is gone (B07)', () => {
  const killed: string[] = [];
  const tree = (name: string): ProcessTree => ({ signal: (signal) => killed.push(`${name} ${signal}`) > 0, isAlive: () => true });
  const others = process.listeners('exit');
  const releases = ['a', 'b', 'c'].map((name) => guardUntilReleased(tree(name)));
  releases[1]?.();
  const [onExit] = process.listeners('exit').filter((listener) => !others.includes(listener));
  onExit?.(0);
  for (const release of releases) release();
  expect(killed).toEqual(['a SIGKILL', 'c SIGKILL']);
});

it('takes the servers along when the host exits without closing them', async () => {
  const host = `
    import { openSession } from ${JSON.stringify(new URL('client-session.js', dist).href)};
    const listeners = { onToolListChanged() {}, onDiagnostic() {} };
    const args = [${JSON.stringify(script)}, '--ignore-end', '--ignore-term'];
    const { pid } = await openSession({ serverName: 's', target: { transport: 'stdio', command: process.execPath, args }, listeners });
    process.stdout.write(String(pid), () => process.exit(0));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', host], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = await firstText(child.stdout);
  expect(Number(pid)).toBeGreaterThan(1);
  await once(child, 'exit');
  await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false));
});
