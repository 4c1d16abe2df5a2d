/** The example and other config files, booted by the real loaders in real processes. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { examplesFolder, listedTools, listTools, loaderFiles, processesWith } from './boot.ts';

const require = createRequire(import.meta.url);
const cordis3 = path.join(path.dirname(require.resolve('cordis/package.json')), 'lib/bin/cordis.mjs');

describe.each(['cordis3', 'deepseek'])('the loader %s', (loader) => {
  test('boots the example, lists the tools of the real server, and ends without a process left', async () => {
    const file = path.join(examplesFolder, 'cordis.yml');
    const before = readFileSync(file, 'utf8');
    const run = await listTools('--loader', loader);
    expect(run).toMatchObject({ code: 0, left: [] });
    const names = listedTools(run.stdout);
    expect(names.length).toBe(14);
    expect(names).toContain('mcp__filesystem__read_text_file');
    expect(names.filter((name) => !name.startsWith('mcp__filesystem__'))).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('runs one package twice with different configs', async () => {
    const run = await listTools('--loader', loader, path.join(loaderFiles, 'cordis.yml'));
    expect(run.code).toBe(0);
    expect(listedTools(run.stdout).toSorted()).toEqual(['expression', 'plain']);
  });

  test('shows one message for a wrong entry, with the place and the fix, and goes on', async () => {
    const run = await listTools('--loader', loader, path.join(loaderFiles, 'wrong-config/cordis.yml'));
    expect(run.code).toBe(0);
    expect(listedTools(run.stdout)).toEqual(['plain']);
    const messages = `${run.stdout}${run.stderr}`.split('\n').filter((line) => line.includes('serverName'));
    expect(messages).toEqual([expect.stringMatching(/config\.serverName: is "not\.legal"; write 1 to 32 letters/)]);
    expect(`${run.stdout}${run.stderr}`).not.toMatch(/unhandled/i);
  });

  test('says so when there is no tool', async () => {
    const run = await listTools('--loader', loader, path.join(loaderFiles, 'no-tools/cordis.yml'));
    expect(run).toMatchObject({ code: 1, left: [] });
    expect(run.stdout).toContain('no tools');
  });
});

test('cordis start keeps the example running until it is interrupted, and leaves no process', async () => {
  const mark = `run-${randomUUID()}`;
  const child = spawn(process.execPath, [cordis3, 'start'], {
    cwd: examplesFolder,
    env: { ...process.env, BRIDGE_RUN_MARK: mark },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let stdout = '';
  const listed = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (listedTools(stdout).length === 14) resolve();
    });
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await Promise.race([listed, ended]);
  expect(listedTools(stdout).length).toBe(14);
  if (process.platform === 'linux') expect(processesWith(mark).filter((line) => line.includes('server-filesystem')).length).toBe(1);
  // As a terminal does it: to the whole foreground group.
  process.kill(-child.pid!, 'SIGINT');
  await ended;
  await vi.waitFor(() => expect(processesWith(mark)).toEqual([]), { timeout: 10_000 });
});

test('the command cordis of this workspace is that of Cordis 3', () => {
  const command = path.join(path.dirname(require.resolve('cordis/package.json')), '../.bin/cordis');
  if (process.platform === 'win32') expect(readFileSync(`${command}.cmd`, 'utf8')).toContain('lib\\bin\\cordis.mjs');
  else expect(realpathSync(command)).toBe(realpathSync(cordis3));
});

describe('the example script', () => {
  test.each([
    [['--loader', 'other'], 'use cordis3 or deepseek'],
    [['--colour'], '--colour'],
    [['nowhere.yml'], 'there is no file'],
  ])('explains the wrong arguments %j in one line', async (args, expected) => {
    const run = await listTools(...args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(expected);
    expect(run.stderr.trim().split('\n').length).toBe(1);
  });
});
