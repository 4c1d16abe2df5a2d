import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { action } from '../src/scenario/actions.ts';
import { httpOptions } from '../src/scenario/http-options.ts';
import { when } from '../src/scenario/rules.ts';
import { parseScenario } from '../src/scenario/parse.ts';
import { BIN } from './client.ts';
import { createHttpClient } from './http-client.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'fixture-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What stands in the fences of one language. */
function fenced(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');
}

/** Commands that end by themselves; those that serve over HTTP are in a block of their own. */
const commands = fenced('sh').flatMap((block) => block.trim().split('\n'));
const served = fenced('sh serve').flatMap((block) => block.trim().split('\n'));
const [scenario = ''] = fenced('yaml');
writeFileSync(join(folder, 'scenario.yaml'), scenario);

describe('the README', () => {
  it('shows commands', () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)('%s', (command) => {
    const script = command.replaceAll('npx mcp-fixture-server', `"${process.execPath}" "${BIN}"`);
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, input: '', encoding: 'utf8' });
    const misbehaves = command.includes('"flaky"');
    expect([status, stderr]).toEqual(misbehaves ? [137, 'out of memory\n'] : [0, '']);
    if (command.includes('tools/list')) expect(stdout).toContain('"nextCursor":"eyJvZmZzZXQiOjUwfQ=="');
  });

  it.each(served)('%s', async (command) => {
    const words = command.replace('npx mcp-fixture-server ', '').split(' ');
    const child = spawn(process.execPath, [BIN, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().split('\n')[0] ?? ''));
    });
    const reply = await createHttpClient(url).handshake();
    expect([reply.status, new URL(url).hostname]).toEqual([200, '127.0.0.1']);
    child.kill();
  });

  it('shows scenarios that are some', () => {
    expect(fenced('yaml').map((text) => parseScenario(text).rules[0]?.id)).toEqual(['first-call-dies', 'lost-after-its-first-event']);
  });

  it('shows a test that runs and prints what it says', async () => {
    const [script = ''] = fenced('js');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: PACKAGE });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    const code = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect(code).toBe(0);
    expect(readme).toContain(`It prints \`${out.trim()}\``);
  });

  it('names every trigger and every action that is built', () => {
    const keys = [...Object.keys(when.shape), ...action.options.flatMap((option) => Object.keys(option.shape)), ...Object.keys(httpOptions.shape)];
    expect(keys.filter((key) => !new RegExp(`\`${key}:`).test(readme))).toEqual([]);
  });
});
