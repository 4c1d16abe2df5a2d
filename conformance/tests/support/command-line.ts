/** The command line in a folder of its own, as a person runs it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/mcp-bridge-conformance.js', import.meta.url));

/** The path of a subject of the tests. */
export const subject = (name: string): string => fileURLToPath(new URL(`../cli/subjects/${name}.mjs`, import.meta.url));

/** What a command left. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunHow {
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** A folder and what is run in it. */
export class CommandLine {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder; `end` removes it. */
  static async start(): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(path.join(tmpdir(), 'conformance-cli-')));
  }

  /** A path within. */
  at(...parts: readonly string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** Runs a command to its end. */
  run(args: readonly string[], { env = {}, node = [] }: RunHow = {}): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...node, BIN, ...args], { cwd: this.folder, env: { ...process.env, NO_COLOR: '1', ...env } });
      const text = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...text }));
    });
  }

  /** Removes the folder. */
  end(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
