/** The steps in which a process is told to leave, with a child and a tree that do what the test says (S58, B07). */
import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { ServerProcess, type ProcessEffects } from '../../src/process/server-process.ts';

const PROGRAM = { command: 'fake', args: [], env: {}, cwd: undefined };

interface Steps {
  readonly server: ServerProcess;
  readonly child: ChildProcess;
  readonly unref: () => void;
  readonly signals: string[];
}

/** A process whose tree is alive for so many looks. */
async function start(aliveLooks: number, limits: Partial<ConnectionLimits>): Promise<Steps> {
  const unref = vi.fn();
  const child = Object.assign(new ChildProcess(), { pid: 4_000_000, stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), unref });
  const signals: string[] = [];
  let looks = 0;
  const tree = { signal: (signal: string) => signals.push(signal) > 0, isAlive: () => (looks += 1) <= aliveLooks };
  const effects: ProcessEffects = { spawn: () => child, control: { spawnOptions: { detached: true }, treeOf: () => tree } };
  return { server: await ServerProcess.start(PROGRAM, resolveConnectionLimits(limits), effects), child, unref, signals };
}

afterEach(() => void vi.useRealTimers());

it('starts a program without a shell and without a window, with a pipe for each of its streams', async () => {
  const spawn = vi.fn(() => {
    throw new Error('enough');
  });
  await expect(ServerProcess.start({ ...PROGRAM, cwd: '/', env: { A: 'b' } }, resolveConnectionLimits(), { spawn })).rejects.toThrow('enough');
  expect(spawn).toHaveBeenCalledWith('fake', [], { cwd: '/', env: { A: 'b' }, detached: process.platform !== 'win32', shell: false, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
});

it('signals nothing that leaves within its grace, the leader first and the rest of its tree after it', async () => {
  vi.useFakeTimers();
  const guards = process.listenerCount('exit');
  const { server, child, signals, unref } = await start(3, { closeGraceMs: 60_000 });
  const closed = server.close();
  expect(child.stdin?.writableEnded).toBe(true);
  child.emit('exit', 0, null);
  await vi.advanceTimersByTimeAsync(100);
  expect(await closed).toBe(true);
  expect({ signals, timers: vi.getTimerCount(), guards: process.listenerCount('exit') }).toEqual({ signals: [], timers: 0, guards });
  expect(unref).not.toHaveBeenCalled();
});

it('asks, then forces, and stays on guard over what is left without being kept alive by it', async () => {
  const guards = process.listenerCount('exit');
  const { server, signals, unref } = await start(0, { closeGraceMs: 1, terminateGraceMs: 1, killWaitMs: 1 });
  // Its leader never exits.
  expect(await server.close()).toBe(false);
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  expect(unref).toHaveBeenCalledOnce();
  expect(process.listenerCount('exit')).toBe(guards + 1);
});

it('kills without asking', async () => {
  const { server, child, signals } = await start(0, {});
  child.emit('exit', null, 'SIGKILL');
  expect(await server.kill()).toBe(true);
  expect(signals).toEqual(['SIGKILL']);
  expect(child.stdin?.writableEnded).toBe(false);
});

it('closes its ends of the pipes', async () => {
  const { server, child } = await start(0, {});
  server.destroyPipes();
  expect([child.stdin, child.stdout, child.stderr].map((pipe) => pipe?.destroyed)).toEqual([true, true, true]);
  child.emit('exit', 0, null);
  await server.kill();
});
