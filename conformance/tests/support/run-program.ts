/** Programs that are run to their end. */
import { spawn } from 'node:child_process';

/** What a program said and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd?: string;
  /** On top of the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** All that it can read from stdin. Default nothing. */
  readonly input?: string;
}

/** Runs a program to its end. Rejects when it cannot be started. */
export function runProgram(command: string, args: readonly string[], { cwd, env = {}, input }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
    child.stdin.end(input);
  });
}
