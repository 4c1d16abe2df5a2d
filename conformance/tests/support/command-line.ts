/** The command line in a folder of its own, as a person runs it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, type Ended } from './run-program.ts';

const BIN = fileURLToPath(new URL('../../bin/mcp-bridge-conformance.js', import.meta.url));

/** The path of a subject of the tests. */
export const subject = (name: string): string => fileURLToPath(new URL(`../cli/subjects/${name}.mjs`, import.meta.url));

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
    return runProgram(process.execPath, [...node, BIN, ...args], { cwd: this.folder, env });
  }

  /** Removes the folder. */
  end(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
