/** A DeepSeek Harness booted from a `cordis.yml` in a process and a folder of its own, and operated from here. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '../../src/host-services.ts';
import { isJsonObject } from '../../src/json-shape.ts';
import type { Node24 } from './node24.ts';

/** The plugin that obeys this module; it goes into the entries. */
export const remote = fileURLToPath(new URL('remote.mjs', import.meta.url));

/** Entries of an attachment store and of two routes: the model `sees` takes images, `reads` does not. */
export const imageEntries = `
- id: llm
  name: '@deepseek-ai/dsh-llm'
- id: attachments
  name: '@deepseek-ai/dsh-attachment-local'
- id: routes
  name: '${fileURLToPath(new URL('routes.mjs', import.meta.url))}'
`;

/** This package, as `node_modules` would have it. */
const bridge = fileURLToPath(new URL('../../', import.meta.url));

/** How long a line is waited for: far beyond a start on a busy machine, well below the bound of a test. */
const lineBoundMs = 30_000;

/** What to boot. */
export interface AppOptions {
  readonly runtime: Node24;
  /** Text of `cordis.yml`, without the packages that every app has and the remote control. */
  readonly entries: string;
  /** Config of the registry. */
  readonly tools?: string;
  /** More files of the app's folder, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** More to do with the app's folder before it is booted. */
  readonly prepare?: (folder: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Node. */
  readonly nodeArguments?: readonly string[];
}

/** The text of one line with which a remote answers or tells of an event. */
export type AppLine = { readonly [key: string]: JsonValue };

/** One running app. */
export class App {
  readonly folder: string;
  /** Settles with the exit code when the process and its pipes have ended. */
  readonly ended: Promise<number | null>;
  /** Everything it said, in order. */
  readonly lines: AppLine[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mark: string;
  readonly #waiting = new Set<() => void>();
  #over = false;
  #stderr = '';
  #ids = 0;

  constructor({ runtime, entries, tools = '', files = {}, prepare, env = {}, nodeArguments = [] }: AppOptions) {
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'dsh-app-')));
    const modules = path.join(this.folder, 'node_modules');
    mkdirSync(modules);
    symlinkSync(path.join(runtime.packages, '@deepseek-ai'), path.join(modules, '@deepseek-ai'));
    symlinkSync(bridge, path.join(modules, 'cordis-plugin-mcp-bridge'));
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    this.write('cordis.yml', appConfig(entries, tools));
    prepare?.(this.folder);
    this.#mark = `run-${randomUUID()}`;
    this.#child = spawn(runtime.node, [...nodeArguments, path.join(runtime.packages, '@deepseek-ai/cordis/bin.js')], {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1', HOME: this.folder, DSH_HOME: path.join(this.folder, '.dsh'), BRIDGE_RUN_MARK: this.#mark, ...env },
    });
    this.ended = new Promise((resolve) =>
      this.#child.on('close', (code) => {
        this.#over = true;
        this.#wake();
        resolve(code);
      }),
    );
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
  }

  /** Process id of the app. */
  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** What it wrote to standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Writes a file of the app's folder. One that is there is written over in place and in one piece, and never becomes
   * shorter: a watcher hears of one change, and a reader never sees half a file.
   */
  write(file: string, text: string): void {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    if (existsSync(target)) writeFileSync(target, text.padEnd(statSync(target).size, '\n'), { flag: 'r+' });
    else writeFileSync(target, text);
  }

  /** The first line from the `from`-th on that satisfies a predicate. Rejects when the process ends before, or too late. */
  async line(predicate: (line: AppLine) => boolean, from = 0): Promise<AppLine> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#wake();
    }, lineBoundMs);
    try {
      for (;;) {
        const found = this.lines.slice(from).find(predicate);
        if (found !== undefined) return found;
        if (this.#over || late) throw new Error(`the app ${late ? 'did not say that in time' : 'ended before it said that'}; it said:\n${this.#transcript()}`);
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #transcript(): string {
    return `${this.lines.map((line) => JSON.stringify(line).slice(0, 300)).join('\n')}\n${this.#stderr}`;
  }

  /** Settles when every entry has; gives the names of the tools. */
  async settled(): Promise<readonly string[]> {
    return names(await this.line(({ event }) => event === 'settled'));
  }

  /** Runs one operation of the remote. */
  async ask(op: string, more: Readonly<Record<string, unknown>> = {}): Promise<JsonValue | undefined> {
    this.#ids += 1;
    const id = this.#ids;
    this.#child.stdin.write(`${JSON.stringify({ id, op, ...more })}\n`);
    const answer = await this.line((line) => line['id'] === id);
    if (answer['error'] !== undefined) throw new Error(`${op}: ${JSON.stringify(answer['error'])}`);
    return answer['value'];
  }

  /** Calls a tool. */
  async call(tool: string, args: JsonValue, more: Readonly<Record<string, unknown>> = {}): Promise<AppLine> {
    const result = await this.ask('call', { callId: `call-${this.#ids + 1}`, tool, args, ...more });
    if (result === undefined || !isJsonObject(result)) throw new TypeError('a call gave no result');
    return result;
  }

  /** Ids of the processes of this app, itself included, whose command line contains a text; Linux only. */
  processes(text = ''): readonly number[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && read(pid, 'environ').includes(this.#mark) && read(pid, 'cmdline').includes(text));
  }

  /** Disposes the app in order and waits for its end. @returns the exit code */
  async dispose(): Promise<number | null> {
    await this.ask('dispose');
    return this.ended;
  }

  /** Kills what is left and removes the folder. */
  async remove(): Promise<void> {
    if (!this.#over) this.#child.kill('SIGKILL');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #hear(text: string): void {
    let line: unknown;
    try {
      line = JSON.parse(text);
    } catch {
      this.#stderr += `${text}\n`;
      return;
    }
    if (isJsonObject(line)) this.lines.push(line);
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const each of waiting) each();
  }
}

/** A file of a process; empty when it ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Tool names in a line. */
export function names(line: AppLine): readonly string[] {
  const listed = line['names'];
  return Array.isArray(listed) ? listed.map(String) : [];
}

/** The whole `cordis.yml` of an app. */
export function appConfig(entries: string, tools = ''): string {
  return `- id: prompt
  name: '@deepseek-ai/dsh-system-prompt'
- id: tools
  name: '@deepseek-ai/dsh-tools'
${tools}
- id: remote
  name: '${remote}'
${entries}`;
}
