/** Servers whose processes somebody else starts: scripted and heard over a Unix socket, never signalled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startController } from '../../src/control/index.ts';
import { identifyElsewhere, isRunning, killHard } from '../../src/control/processes.ts';

const ENTRY = fileURLToPath(new URL('../../dist/carriers/http-entry.js', import.meta.url));

test('a server that somebody else starts is scripted over a Unix socket, and its end is heard', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'declared-'));
  const controller = await startController({ socketPath: path.join(folder, 'control') });
  onTestFinished(async () => {
    await controller.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { server, args } = controller.declare('far', { scenario: 1, tools: [{ name: 'read' }] });
  const child = spawn(process.execPath, [ENTRY, ...args], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await server.waitFor((record) => record.kind === 'process' && record.event === 'start');
  expect(server.processes.map(({ pid }) => pid)).toEqual([child.pid]);
  await server.do([{ down: true }]);
  await server.close();
  // Its channel has ended, and so it ends itself.
  await exited;
});

test('a process of another process table is never signalled, whatever has its id here', () => {
  const self = identifyElsewhere(process.pid);
  expect(isRunning(self)).toBe(false);
  killHard(self);
});
