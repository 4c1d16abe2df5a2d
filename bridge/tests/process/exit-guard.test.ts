import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { guardUntilReleased } from '../../src/process/exit-guard.ts';
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
