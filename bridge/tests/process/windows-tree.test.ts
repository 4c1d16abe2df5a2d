import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { waitUntilGone } from '../../src/process/process-tree.ts';
import { processTreeControl } from '../../src/process/process-group.ts';
import { WindowsTree, type StartTool } from '../../src/process/windows-tree.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that would stay for a minute, or does something else. */
async function sleeper(code = 'setTimeout(() => {}, 60_000)'): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return { child, pid: child.pid ?? 0 };
}

/** A `taskkill` that does nothing until the test ends it. */
class FakeTool extends EventEmitter {
  unref = vi.fn();
}

function fake(): { start: StartTool; tools: FakeTool[]; lines: string[] } {
  const tools: FakeTool[] = [];
  const lines: string[] = [];
  const start: StartTool = (command, args) => {
    lines.push([command, ...args].join(' '));
    const tool = new FakeTool();
    tools.push(tool);
    return tool;
  };
  return { start, tools, lines };
}

describe('a process tree on Windows', () => {
  it('is asked to leave first, and then forced, from its root down', async () => {
    vi.stubEnv('SystemRoot', 'D:\\Win');
    const { child, pid } = await sleeper();
    const { start, tools, lines } = fake();
    const tree = new WindowsTree(child, pid, start);
    expect(tree.signal('SIGTERM')).toBe(true);
    tools[0]?.emit('exit', 128);
    expect(tree.signal('SIGKILL')).toBe(true);
    expect(lines).toEqual([`D:\\Win\\System32\\taskkill.exe /PID ${pid} /T`, `D:\\Win\\System32\\taskkill.exe /PID ${pid} /T /F`]);
    // A console program that does not hear the question has time until it is forced.
    expect(child.killed).toBe(false);
    for (const tool of tools) expect(tool.unref).toHaveBeenCalledOnce();
  });

  it('is not gone before taskkill has ended, even when the child is', async () => {
    const { child, pid } = await sleeper();
    const { start, tools } = fake();
    const tree = new WindowsTree(child, pid, start);
    tree.signal('SIGKILL');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(tree.isAlive()).toBe(true);
    const gone = waitUntilGone(tree, 10_000, () => performance.now());
    tools[0]?.emit('exit', 0);
    expect(await gone).toBe(true);
    expect(tree.isAlive()).toBe(false);
  });

  it('is not forced once more where taskkill ended all of it', async () => {
    vi.stubEnv('SystemRoot', undefined);
    const { child, pid } = await sleeper();
    const { start, tools, lines } = fake();
    new WindowsTree(child, pid, start).signal('SIGKILL');
    tools[0]?.emit('exit', 0);
    expect(child.killed).toBe(false);
    expect(lines).toEqual([`C:\\Windows\\System32\\taskkill.exe /PID ${pid} /T /F`]);
  });

  it('waits for the second taskkill also when the first one told twice that it failed', async () => {
    const { child, pid } = await sleeper();
    const { start, tools } = fake();
    const tree = new WindowsTree(child, pid, start);
    tree.signal('SIGTERM');
    tools[0]?.emit('error', new Error('ENOENT'));
    tools[0]?.emit('exit', -4058);
    tree.signal('SIGKILL');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(tree.isAlive()).toBe(true);
    tools[1]?.emit('exit', 0);
    expect(tree.isAlive()).toBe(false);
  });

  it('is gone when the child has exited by itself', async () => {
    const { child, pid } = await sleeper('process.exit(3)');
    if (child.exitCode === null) await once(child, 'exit');
    const { start, lines } = fake();
    const tree = new WindowsTree(child, pid, start);
    expect([tree.isAlive(), tree.signal('SIGKILL'), lines]).toEqual([false, false, []]);
  });

  it.runIf(process.platform === 'linux')('gives taskkill no pipe that somebody would have to read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'taskkill-'));
    vi.stubEnv('SystemRoot', join(folder, 'Win'));
    // Here a file may be called so. It ends the process whose number it is given.
    const tool = join(folder, 'Win\\System32\\taskkill.exe');
    writeFileSync(tool, `#!/bin/sh\nsaid=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)\necho "$said" > '${folder}/pipes'\nkill -KILL $2\n`, { mode: 0o755 });
    const { child, pid } = await sleeper();
    const exited = once(child, 'exit');
    expect(new WindowsTree(child, pid).signal('SIGKILL')).toBe(true);
    await exited;
    expect(readFileSync(join(folder, 'pipes'), 'utf8')).toBe('/dev/null\n/dev/null\n/dev/null\n');
    rmSync(folder, { recursive: true });
  });

  it('is never signalled again when the child is gone, since its number may be another process by then', async () => {
    const { child, pid } = await sleeper();
    const { start, lines } = fake();
    const tree = new WindowsTree(child, pid, start);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect([tree.signal('SIGTERM'), tree.signal('SIGKILL'), tree.isAlive()]).toEqual([false, false, false]);
    expect(lines).toEqual([]);
  });

  it.each<[string, (tool: FakeTool) => void]>([
    ['may not end all of it', (tool) => tool.emit('exit', 1)],
    ['cannot be started', (tool) => {
      tool.emit('error', new Error('ENOENT'));
      tool.emit('exit', -4058);
    }],
  ])('loses at least the child where taskkill %s', async (_what, end) => {
    const { child, pid } = await sleeper();
    const { start, tools } = fake();
    const tree = new WindowsTree(child, pid, start);
    const exited = once(child, 'exit');
    tree.signal('SIGKILL');
    const [tool] = tools;
    if (tool !== undefined) end(tool);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(tree.isAlive()).toBe(false);
  });

  it('loses at least the child where starting a program throws', async () => {
    const { child, pid } = await sleeper();
    const exited = once(child, 'exit');
    const tree = new WindowsTree(child, pid, () => {
      throw new Error('EAGAIN');
    });
    expect(tree.signal('SIGTERM')).toBe(true);
    expect(child.killed).toBe(false);
    expect(tree.signal('SIGKILL')).toBe(true);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  it('is what the bridge uses there, with the taskkill of the system', async () => {
    // Here there is none, so that it cannot be started.
    vi.stubEnv('SystemRoot', undefined);
    const { child, pid } = await sleeper();
    const exited = once(child, 'exit');
    const tree = processTreeControl('win32').treeOf(child, pid);
    expect(tree).toBeInstanceOf(WindowsTree);
    expect(tree.signal('SIGKILL')).toBe(true);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await waitUntilGone(tree, 10_000, () => performance.now())).toBe(true);
  });
});
