import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { ServerProcess, type ServerProgram } from '../../src/process/server-process.ts';
import { describeSpawnFailure } from '../../src/process/spawn-failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'spawn-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is said of a program that the system does not start. */
async function failure(program: Partial<ServerProgram>): Promise<string> {
  const whole = { command: process.execPath, args: [], env: {}, cwd: undefined, ...program };
  try {
    const started = await ServerProcess.start(whole, resolveConnectionLimits(), {});
    await started.kill();
  } catch (error) {
    return describeSpawnFailure(error, whole.command, whole.cwd);
  }
  throw new Error('it was started');
}

describe('describeSpawnFailure', () => {
  it('says that a command was not found, and where to look', async () => {
    expect(await failure({ command: 'no-such-command' })).toBe(
      'the command "no-such-command" was not found (ENOENT); install it, put its directory on the host\'s PATH, ' +
        'or give `command` as an absolute path (it is run without a shell, arguments belong in `args`)',
    );
  });

  it('says that a file may not be run', async () => {
    const command = join(folder, 'plain.txt');
    writeFileSync(command, 'text', { mode: 0o644 });
    expect(await failure({ command })).toBe(`the command ${JSON.stringify(command)} may not be run (EACCES); make the file executable, or run it through its interpreter`);
  });

  it('says that a command is a directory, wherever it is looked for', async () => {
    expect(await failure({ command: folder })).toBe(`the command ${JSON.stringify(folder)} is a directory, which cannot be run (EACCES); give the program in it as \`command\``);
    mkdirSync(join(folder, 'bin'));
    expect(await failure({ command: './bin', cwd: folder })).toContain('"./bin" is a directory');
    expect(describeSpawnFailure(Object.assign(new Error('x'), { code: 'EACCES' }), 'bin', folder)).toContain('may not be run');
    expect(describeSpawnFailure(Object.assign(new Error('x'), { code: 'EACCES' }), './src', undefined)).toContain('may not be run');
  });

  it('says that arguments are too long, and repeats none of them (B18)', async () => {
    const text = await failure({ args: ['canary'.repeat(1_000_000)] });
    expect(text).toMatch(/could not be started \(E2BIG\): arguments and environment together are too long; shorten `args` or `env`$/);
    expect(text).not.toContain('canary');
  });

  it('says that a text cannot be handed over', async () => {
    expect(await failure({ args: ['a\0b'] })).toMatch(/`command`, `args`, `env` or `cwd` is empty or contains a NUL character$/);
  });

  it('tells a working directory that is none from a missing command', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await failure({ cwd: file })).toBe(`the working directory ${JSON.stringify(file)} does not exist or is no directory; create it or correct \`cwd\``);
    expect(await failure({ cwd: join(folder, 'nowhere') })).toContain('nowhere" does not exist or is no directory');
  });

  it.each([
    [Object.assign(new Error('x'), { code: 'EMFILE' }), 'EMFILE'],
    [new Error('x'), 'unknown reason'],
    [Object.assign(new Error('x'), { code: 5 }), 'unknown reason'],
    ['text', 'unknown reason'],
    [null, 'unknown reason'],
  ])('gives the code of any other failure, where there is one (%j)', (error, code) => {
    expect(describeSpawnFailure(error, 'x', folder)).toBe(`the command "x" could not be started (${code})`);
  });
});
