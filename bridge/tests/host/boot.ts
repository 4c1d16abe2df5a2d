/** Runs the example script and whole hosts in processes of their own. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The script that boots a config file and lists the tools. */
export const listToolsScript = fileURLToPath(new URL('../../examples/list-tools.mjs', import.meta.url));

/** The example's folder. */
export const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Config files of the tests. */
export const loaderFiles = fileURLToPath(new URL('loader-files/', import.meta.url));

/** What a process did. */
export interface Booted {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Command lines of processes of this run that were still there when it had ended; Linux only. */
  readonly left: readonly string[];
}

/** Runs the example script to its end. */
export async function listTools(...args: string[]): Promise<Booted> {
  const mark = `run-${randomUUID()}`;
  const child = spawn(process.execPath, [listToolsScript, ...args], {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', BRIDGE_RUN_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr, left: processesWith(mark) };
}

/** Command lines of all processes that inherited the mark. */
export function processesWith(mark: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`BRIDGE_RUN_MARK=${mark}`)) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      // It ended while it was looked at.
      return [];
    }
  });
}

/** The names under the last "n tools:" line. */
export function listedTools(stdout: string): string[] {
  const lines = stdout.split('\n');
  const heading = lines.findLastIndex((line) => /^\d+ tools?:$/.test(line));
  const names = heading < 0 ? [] : lines.slice(heading + 1);
  const end = names.findIndex((line) => !line.startsWith('  '));
  return (end < 0 ? names : names.slice(0, end)).map((line) => line.trim());
}
