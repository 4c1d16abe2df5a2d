import { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildChildEnv } from '../../src/child-env.ts';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { processTreeControl } from '../../src/process/process-group.ts';
import { ServerProcess, type ProcessEffects } from '../../src/process/server-process.ts';
import { firstText, isRunning } from '../helpers/scripted-session.ts';

const started: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.kill()));
});

/** Starts a node program that says `ready` and the pids of its helpers, one a line. */
async function start(
  code: string,
  limits: Partial<ConnectionLimits> = {},
  effects: ProcessEffects = {},
): Promise<{ child: ServerProcess; pid: number; helper: number }> {
  const program = { command: process.execPath, args: ['-e', code], env: buildChildEnv(process.env), cwd: undefined };
  const child = await ServerProcess.start(program, resolveConnectionLimits(limits), effects);
  started.push(child);
  child.stderr.resume();
  const helper = Number(await firstText(child.stdout));
  return { child, pid: child.pid ?? 0, helper };
}

const LIFETIME = 'setTimeout(() => process.exit(), 60000);';
const STUBBORN = `process.on("SIGTERM", () => {}); ${LIFETIME}`;
/** A leader with a helper that says when it is ready; both have the pipes. */
const withHelper = (leader: string, helper: string): string => `
  const { spawn } = require('node:child_process');
  const helper = spawn(process.execPath, ['-e', ${JSON.stringify(`${helper} process.send(1); process.disconnect();`)}], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  helper.once('message', () => console.log(helper.pid));
  ${leader} ${LIFETIME}`;
const LEAVES_AT_END = 'process.stdin.resume().on("end", () => process.exit(0));';

describe('ServerProcess', () => {
  it('lets a server leave by itself when its stdin ends', async () => {
    const { child, pid } = await start(`${LEAVES_AT_END} console.log(0)`);
    expect(await child.close()).toBe(true);
    expect(child.exit).toEqual({ code: 0, signal: null });
    expect(isRunning(pid)).toBe(false);
  });

  it('ends with SIGTERM what ignores the end of stdin', async () => {
    const { child } = await start(`${LIFETIME} console.log(0)`, { closeGraceMs: 20 });
    expect(await child.close()).toBe(true);
    expect(child.exit).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('kills what ignores SIGTERM', async () => {
    const { child, pid } = await start(`${STUBBORN} console.log(0)`, { closeGraceMs: 20, terminateGraceMs: 20 });
    expect(await child.close()).toBe(true);
    expect(child.exit).toEqual({ code: null, signal: 'SIGKILL' });
    expect(isRunning(pid)).toBe(false);
  });

  it('takes a stubborn grandchild down although the leader left at once', async () => {
    const { child, helper } = await start(withHelper(LEAVES_AT_END, STUBBORN), { closeGraceMs: 50, terminateGraceMs: 50 });
    expect(isRunning(helper)).toBe(true);
    expect(await child.close()).toBe(true);
    expect(isRunning(helper)).toBe(false);
  });

  it('lets a grandchild use the grace that its leader did not need', async () => {
    const polite = `process.on("SIGTERM", () => { require("node:fs").writeSync(2, "polite"); process.exit(); }); ${LIFETIME}`;
    const { child, helper } = await start(withHelper(LEAVES_AT_END, polite), { closeGraceMs: 50 });
    const said = firstText(child.stderr);
    expect(await child.close()).toBe(true);
    expect(await said).toBe('polite');
    expect(isRunning(helper)).toBe(false);
  });

  it('closes once, however often it is asked', async () => {
    const { child } = await start(`${LIFETIME} console.log(0)`, { closeGraceMs: 10 });
    const first = child.close();
    expect(child.close()).toBe(first);
    expect(child.kill()).toBe(first);
    expect(await first).toBe(true);
  });

  it('says so, within its limits, when a process cannot be ended', async () => {
    const { spawnOptions } = processTreeControl();
    const control = { spawnOptions, treeOf: () => ({ signal: () => true, isAlive: () => true }) };
    const { child, pid } = await start(`${LIFETIME} console.log(0)`, { closeGraceMs: 10, terminateGraceMs: 10, killWaitMs: 10 }, { control });
    expect(await child.close()).toBe(false);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await child.exited;
  });

  it('rejects with what the system said when there is no such program', async () => {
    const program = { command: '/nonexistent/program', args: [], env: {}, cwd: undefined };
    await expect(ServerProcess.start(program, resolveConnectionLimits(), {})).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('passes arguments one by one, without a shell', async () => {
    const code = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const args = ['-e', code, 'a b', '$HOME', '*', '"', ';exit', ''];
    const child = await ServerProcess.start({ command: process.execPath, args, env: {}, cwd: undefined }, resolveConnectionLimits(), {});
    started.push(child);
    expect(JSON.parse(await firstText(child.stdout))).toEqual(args.slice(2));
  });
});

/** A group is known by its number alone. */
const NO_CHILD = new ChildProcess();

describe('processTreeControl', () => {
  it('never signals a group again that was once empty', () => {
    const kill = vi.fn(() => {
      throw Object.assign(new Error('none'), { code: 'ESRCH' });
    });
    const tree = processTreeControl('linux', kill).treeOf(NO_CHILD, 123);
    expect(tree.signal('SIGTERM')).toBe(false);
    expect(tree.signal('SIGKILL')).toBe(false);
    expect(tree.isAlive()).toBe(false);
    expect(kill.mock.calls).toEqual([[-123, 'SIGTERM']]);
  });

  it('takes a group that it may not signal for one that is there', () => {
    const pgid = process.pid;
    const kill = vi.fn(() => {
      throw Object.assign(new Error('not yours'), { code: 'EPERM' });
    });
    expect(processTreeControl('linux', kill).treeOf(NO_CHILD, pgid).signal('SIGTERM')).toBe(true);
  });

  it.runIf(process.platform === 'linux')('takes a group that has nobody left but zombies for gone, and signals it no more', () => {
    const kill = vi.fn();
    const tree = processTreeControl('linux', kill).treeOf(NO_CHILD, 2_147_483_647);
    expect([tree.isAlive(), tree.isAlive(), tree.signal('SIGKILL')]).toEqual([false, false, false]);
    expect(kill.mock.calls).toEqual([[-2_147_483_647, 0]]);
  });

  it.runIf(process.platform === 'linux')('takes a group for alive while one of it runs and can be signalled', () => {
    const [, , group] = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\) /, '').split(' ');
    expect(processTreeControl('linux', vi.fn()).treeOf(NO_CHILD, Number(group)).isAlive()).toBe(true);
    const nobody = vi.fn(() => {
      throw Object.assign(new Error('none'), { code: 'ESRCH' });
    });
    expect(processTreeControl('linux', nobody).treeOf(NO_CHILD, Number(group)).isAlive()).toBe(false);
  });

  it('starts no process group where there are none', () => {
    expect(processTreeControl('win32').spawnOptions).toEqual({ detached: false });
    expect(processTreeControl('linux').spawnOptions).toEqual({ detached: true });
  });
});
