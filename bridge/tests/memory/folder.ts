/** A config file in a folder of its own, booted by either published loader until the tools are listed. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listedTools, processesWith } from '../host/boot.ts';

const require = createRequire(import.meta.url);

/** Where the packages of this workspace are. */
export const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** The examples. */
export const examples = fileURLToPath(new URL('../../examples/memory/', import.meta.url));

/** An example without the line that switches it off. */
export function turnedOn(file: string): string {
  const text = readFileSync(path.join(examples, file), 'utf8');
  const off = '\n  disabled: true\n';
  if (!text.includes(off)) throw new Error(`${file} is not switched off`);
  return text.replace(off, '\n');
}

/** How each loader is started. */
const programs = {
  'cordis 3': [path.join(path.dirname(require.resolve('cordis/package.json')), 'lib/bin/cordis.mjs'), 'start'],
  '@deepseek-ai/cordis': [path.join(path.dirname(require.resolve('@deepseek-ai/cordis/package.json')), 'bin.js')],
} as const;

/** Name of a loader. */
export type LoaderName = keyof typeof programs;

/** Both loaders' names. */
export const loaderNames: readonly LoaderName[] = ['cordis 3', '@deepseek-ai/cordis'];

/** What a boot came to. */
export interface Listing {
  readonly tools: readonly string[];
  readonly output: string;
  /** Command lines of processes that were still there when it had ended; Linux only. */
  readonly left: readonly string[];
}

/** A temporary folder in which a config file finds the packages of this workspace. */
export class ConfigFolder {
  readonly path: string = realpathSync(mkdtempSync(path.join(tmpdir(), 'config-folder-')));

  constructor() {
    symlinkSync(modules, path.join(this.path, 'node_modules'));
  }

  /** Writes a file. @returns its path */
  write(file: string, text: string, mode = 0o644): string {
    const target = path.join(this.path, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { mode });
    return target;
  }

  /** Boots entries beside the embedded host, lists the tools once every entry has settled, and ends. */
  async list(loader: LoaderName, entries: string, env: Readonly<Record<string, string>> = {}): Promise<Listing> {
    this.write('cordis.yml', `- name: cordis-plugin-mcp-bridge/host\n${entries}\n- name: cordis-plugin-mcp-bridge/host/list-tools\n  config: { exit: true }\n`);
    const mark = `run-${randomUUID()}`;
    const child = spawn(process.execPath, programs[loader], {
      cwd: this.path,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', BRIDGE_RUN_MARK: mark, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const hear = (text: string): void => void (output += text);
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    await new Promise((resolve) => child.on('close', resolve));
    return { tools: listedTools(output), output, left: processesWith(mark) };
  }

  /** Removes the folder. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
