/**
 * The process of a driver: started without a shell, in a group of its own, read line by line, and ended with everything
 * it started.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createLineSplitter } from 'mcp-fixture-server';
import { killTree } from './process-tree.ts';
import type { DriverBounds } from './driver-bounds.ts';
import { Utf8Watch, type BadByte } from './utf8-watch.ts';

/** How a driver is started. */
export interface DriverCommand {
  /** A program, by path or looked for in PATH. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Its whole environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where it runs. Default: where this process does. */
  readonly cwd?: string;
}

/** Names the variable by which everything a driver started is found again. */
const MARKER_NAME = 'MCP_CONFORMANCE_DRIVER';

/** What a driver process tells. */
export interface DriverEvents {
  /** One line of its stdout; lines are counted from 1. */
  line(text: string, number: number): void;
  /** A line passed the limit; what follows is not read. */
  overlong(number: number): void;
  /** A line is no UTF-8; what follows is not read. */
  undecodable(number: number, bad: BadByte): void;
  /** It is gone, or was never there, or closed its output: why, in words that follow "the driver …". Told once. */
  gone(how: string): void;
}

/** One driver process. */
export class DriverProcess {
  readonly #child: ChildProcess;
  readonly #bounds: DriverBounds;
  readonly #events: DriverEvents;
  readonly #marker = `${MARKER_NAME}=${randomUUID()}`;
  readonly #exited: Promise<void>;
  #stderr = Buffer.alloc(0);
  #lines = 0;
  #gone = false;
  #over = false;

  constructor({ command, args = [], env = process.env, cwd }: DriverCommand, bounds: DriverBounds, events: DriverEvents) {
    this.#bounds = bounds;
    this.#events = events;
    const [name = '', value = ''] = this.#marker.split('=');
    this.#child = spawn(command, [...args], {
      env: { ...env, [name]: value }, stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32', windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        if (this.#child.pid === undefined) this.#tellGone(`cannot be started: ${error.message}${whyNotStarted(error)}`);
        resolve();
      });
      this.#child.once('exit', (code, signal) => {
        this.#over = true;
        // What it started and left behind ends with it.
        this.#kill(true);
        this.#afterExit(code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with code ${code}`);
        resolve();
      });
    });
    this.#listen();
  }

  /** The end of what it wrote on stderr, at most `stderrTailBytes`; empty when it wrote nothing. */
  get stderrTail(): string {
    return this.#stderr.toString('utf8').trim();
  }

  /** Its process id; absent when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends one line. What cannot be sent is told by {@link DriverEvents.gone}. */
  send(text: string): void {
    if (!this.#gone) this.#child.stdin?.write(`${text}\n`);
  }

  /**
   * Ends it in order: its input ends, then SIGTERM, then the whole tree is killed. Resolves when it is gone, at the
   * latest after `endGraceMs` and `termGraceMs` and the moment that a kill takes.
   */
  async end(): Promise<void> {
    this.#gone = true;
    this.#child.stdin?.end();
    if (await this.#exitsWithin(this.#bounds.endGraceMs)) return;
    this.#child.kill('SIGTERM');
    if (await this.#exitsWithin(this.#bounds.termGraceMs)) return;
    await this.kill();
  }

  /** Kills it and everything it started, at once. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#gone = true;
    this.#kill(this.#over);
    await this.#exited;
  }

  #kill(gone: boolean): void {
    if (this.#child.pid !== undefined) killTree({ pid: this.#child.pid, marker: this.#marker, gone });
    if (gone) return;
    this.#child.stdin?.destroy();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    // A driver that reads no more is one that is gone or will be: its exit says why.
    stdin?.on('error', () => undefined);
    const splitter = createLineSplitter(this.#bounds.maxLineBytes);
    const watch = new Utf8Watch();
    stdout?.on('data', (chunk: Buffer) => {
      try {
        const bad = watch.push(chunk);
        for (const line of splitter.push(bad === undefined ? chunk : chunk.subarray(0, bad.before))) {
          this.#lines += 1;
          if (line.bytes > this.#bounds.maxLineBytes) throw new RangeError('too long');
          this.#events.line(line.text, this.#lines);
        }
        if (bad === undefined) return;
        stdout.destroy();
        this.#events.undecodable(this.#lines + 1, bad);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        stdout.destroy();
        this.#events.overlong(this.#lines + 1);
      }
    });
    stdout?.once('end', () => {
      // An exit is told after its last lines were read; this is for one that lives on without a voice.
      const timer = setTimeout(() => this.#tellGone('closed its stdout while it runs on'), this.#bounds.voicelessMs);
      timer.unref();
      this.#child.once('exit', () => clearTimeout(timer));
    });
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-this.#bounds.stderrTailBytes);
    });
  }

  /** Its last lines may still be in the pipe; a helper that holds the pipe must not keep its end from being told. */
  #afterExit(how: string): void {
    const { stdout, stderr } = this.#child;
    const tell = (): void => {
      clearTimeout(timer);
      stdout?.destroy();
      stderr?.destroy();
      this.#tellGone(how);
    };
    const timer = setTimeout(tell, this.#bounds.drainMs);
    this.#child.once('close', tell);
  }

  #tellGone(how: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#events.gone(how);
  }

  async #exitsWithin(boundMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), boundMs)));
    const exited = await Promise.race([this.#exited.then(() => true), bound]);
    clearTimeout(timer);
    return exited;
  }
}

/** What a person can do about a command that cannot be started. */
function whyNotStarted(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return '; there is no such program on the PATH, and no such file: try the command by hand in this folder';
  if (code === 'EACCES') return '; the file is no program: make it executable, or name the program that runs it, as in "python3 driver.py"';
  return '';
}
