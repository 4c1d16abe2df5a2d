/**
 * MCP over the pipes of a child process: newline-delimited JSON-RPC (spec 2025-11-25, basic/transports, stdio).
 *
 * The connection is gone when the process exits, not when its pipes close: a helper may hold them for ever (B07). After
 * the exit what is still in the pipes is read for a bounded time, then requests in flight end, then the process group is
 * killed, and `closed` resolves when all of it is proven gone (S58).
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionLimits } from '../connection-limits.ts';
import { BridgeError } from '../errors.ts';
import { ServerProcess, type ProcessEffects, type ProcessExit, type ServerProgram } from '../process/server-process.ts';
import { describeSpawnFailure } from '../process/spawn-failure.ts';
import type { CloseReason } from '../session.ts';
import type { Carrier } from './carrier.ts';
import { deferred } from './deferred.ts';
import { LineSplitter, type OversizedLine } from './line-splitter.ts';
import { readInTurns } from './read-in-turns.ts';
import type { Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { StderrTail } from './stderr-tail.ts';
import { answeredRequest, limitExceededAnswer, parseStdioLine } from './stdio-messages.ts';
import { StdoutNoise } from './stdout-noise.ts';

/** What a {@link StdioTransport} is made of. */
export interface StdioTransportOptions {
  readonly program: ServerProgram;
  readonly limits: ConnectionLimits;
  readonly redact: Redactor;
  readonly reports: ReportLimiter;
  readonly effects: ProcessEffects;
}

const CLOSED_BY_BRIDGE: CloseReason = { kind: 'closed-by-bridge', detail: 'closed by the bridge' };

/** See the module's comment. `start` rejects with `connect-failed`; `close` never rejects, `closed` tells what is left. */
export class StdioTransport implements Transport, Carrier {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Resolves once, when everything is gone or the time for that is over (then `leftover` is set). Never rejects. */
  readonly closed: Promise<CloseReason>;
  readonly transport: Transport = this;
  readonly #options: StdioTransportOptions;
  readonly #splitter: LineSplitter;
  readonly #stderr: StderrTail;
  readonly #noise: StdoutNoise;
  readonly #resolveClosed: (reason: CloseReason) => void;
  #process: ServerProcess | undefined;
  /** Why the connection ended, as soon as that is known; set before `onclose`. */
  #reason: CloseReason | undefined;
  #announced = false;
  #closing = false;
  #starting = false;
  #chunksSeen = 0;
  #drained: Promise<void> | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    const { limits, redact, reports } = options;
    this.#splitter = new LineSplitter(limits.maxMessageBytes, {
      onLine: (line) => this.#receive(line),
      onOversized: (line) => this.#receiveOversized(line),
      onEndless: () =>
        this.#fail(`a message grew past ${2 * limits.maxMessageBytes} bytes without an end; raise \`maxMessageBytes\``),
    });
    this.#stderr = new StderrTail({
      tailBytes: limits.stderrTailBytes,
      maxLineBytes: limits.maxReportedLineBytes,
      redact,
      onLine: (line) => reports.report('stderr', 'debug', `stderr: ${line}`),
    });
    this.#noise = new StdoutNoise({ maxLineBytes: limits.maxReportedLineBytes, redact, reports });
    const { promise, resolve } = deferred<CloseReason>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  /** Why the connection ended; set before `onclose` is called. */
  get reason(): CloseReason | undefined {
    return this.#reason;
  }

  /** The pid of the leader, once started. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    const { program, limits, effects } = this.#options;
    if (this.#starting || this.#closing) throw new BridgeError('connect-failed', 'a transport is started once');
    this.#starting = true;
    let started: ServerProcess;
    try {
      started = await ServerProcess.start(program, limits, effects);
    } catch (error) {
      const detail = describeSpawnFailure(error, program.command, program.cwd);
      this.#end({ kind: 'spawn-failed', detail });
      throw new BridgeError('connect-failed', detail, { cause: error });
    }
    this.#process = started;
    this.#wire(started);
    if (this.#closing) void this.#shutDown(started);
  }

  /** Resolves when more can be written. Rejects with `not-connected` when nothing was written (B04). */
  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin, exit } = this.#process ?? {};
    if (stdin === undefined || !stdin.writable || exit !== undefined || this.#reason !== undefined) {
      throw new BridgeError('not-connected', 'the process takes no more input', { executed: 'no' });
    }
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await this.#drain(stdin);
  }

  /** Closes in steps and waits until the processes are gone, within the limits. */
  async close(): Promise<void> {
    // A process that has ended by itself was not closed: its reason stays.
    if (!this.#closing && this.#process?.exit === undefined) {
      this.#closing = true;
      if (this.#process !== undefined) void this.#shutDown(this.#process);
      else if (!this.#starting) this.#end({ kind: 'closed-by-bridge', detail: 'closed before it was started' });
    }
    await this.closed;
  }

  #wire(started: ServerProcess): void {
    const { stdin, stdout, stderr } = started;
    for (const [pipe, reader] of [[stdout, this.#splitter], [stderr, this.#stderr]] as const) {
      readInTurns(pipe, (chunk) => {
        this.#chunksSeen += 1;
        reader.push(chunk);
      });
    }
    // A pipe that breaks while the process lives is no use any more; when the process is gone, `exited` tells more.
    const broken = (what: string) => (): void => void this.#failUnlessExiting(started, what);
    stdin.on('error', broken('closed its stdin'));
    stdout.on('end', broken('closed its stdout'));
    stdout.on('error', broken('closed its stdout'));
    stderr.on('error', () => {});
    void started.exited.then((exit) => this.#afterExit(started, exit));
  }

  /** One wait for all senders, so that a slow server collects no listeners (B27). */
  #drain(stdin: ServerProcess['stdin']): Promise<void> {
    this.#drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        stdin.removeListener('drain', done);
        stdin.removeListener('close', done);
        this.#drained = undefined;
        resolve();
      };
      stdin.on('drain', done);
      stdin.on('close', done);
    });
    return this.#drained;
  }

  #receive(line: Buffer): void {
    const messages = parseStdioLine(line);
    if (messages === undefined) {
      this.#noise.add(line);
      return;
    }
    if (messages.length > 0) this.#noise.forget();
    for (const message of messages) this.#deliver(message);
  }

  /** Whatever a handler does, the host goes on (B27). */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #receiveOversized(line: OversizedLine): void {
    const limit = this.#options.limits.maxMessageBytes;
    const text = `the server sent a message of ${line.bytes} bytes, more than \`maxMessageBytes\` (${limit}) allows`;
    const id = answeredRequest(line);
    if (id === undefined) {
      this.#fail(text);
    } else {
      this.#options.reports.report('protocol', 'warn', text);
      this.#deliver(limitExceededAnswer(id, text));
    }
  }

  /** Ends a connection that cannot go on. */
  #fail(detail: string): void {
    if (this.#reason !== undefined || this.#process === undefined) return;
    this.#reason = { kind: 'protocol', detail: this.#withLastWords(detail) };
    this.#splitter.stop();
    this.onerror?.(new BridgeError('connection-lost', detail));
    this.#announce();
    void this.#shutDown(this.#process);
  }

  async #failUnlessExiting(started: ServerProcess, what: string): Promise<void> {
    if (this.#reason !== undefined) return;
    // The system closes a process's pipes shortly before it reports the exit, which says more.
    const timer = setTimeout(() => this.#fail(`the process ${what} and went on running`), this.#options.limits.drainAfterExitMs);
    await started.exited;
    clearTimeout(timer);
  }

  async #afterExit(started: ServerProcess, exit: ProcessExit): Promise<void> {
    await this.#readRest(started);
    const reason = (this.#reason ??= this.#exitReason(exit));
    this.#announce();
    // Orderly, the rest of the group has its grace; otherwise it goes with its leader.
    const gone = await (this.#closing ? started.close() : started.kill());
    this.#finish(started, reason, gone);
  }

  async #shutDown(started: ServerProcess): Promise<void> {
    const reason = (this.#reason ??= CLOSED_BY_BRIDGE);
    const gone = await started.close();
    if (!gone) this.#finish(started, reason, false);
  }

  /** Reads what was in the pipes when the leader exited: until both ended, or a turn of the loop brought nothing new. */
  async #readRest(started: ServerProcess): Promise<void> {
    const now = this.#options.effects.now ?? (() => performance.now());
    const deadline = now() + this.#options.limits.drainAfterExitMs;
    let seen: number;
    do {
      seen = this.#chunksSeen;
      if (started.stdout.readableEnded && started.stderr.readableEnded) break;
      // The first turn may be the one in which the exit was seen; the second one has polled the pipes since.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    } while (seen !== this.#chunksSeen && now() < deadline);
    if (this.#splitter.unfinishedBytes > 0) {
      this.#options.reports.report('noise', 'warn', 'the last message on stdout was cut off; it was dropped');
    }
  }

  #exitReason({ code, signal }: ProcessExit): CloseReason {
    return signal === null
      ? { kind: 'exit', detail: this.#withLastWords(`the process exited with code ${code}`) }
      : { kind: 'signal', detail: this.#withLastWords(`the process was ended by ${signal}`) };
  }

  #withLastWords(detail: string): string {
    const words = this.lastWords();
    return words === '' ? detail : `${detail}; ${words}`;
  }

  /** What the server wrote last, if not in messages, secrets removed; empty when it wrote nothing of the kind (B06). */
  lastWords(): string {
    const tail = this.#stderr.text();
    if (tail !== '') return `its stderr ended with:\n${tail}`;
    const noise = this.#noise.lastWords();
    return noise === '' ? '' : `its stdout ended with:\n${noise}`;
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    this.#splitter.stop();
    this.onclose?.();
  }

  #finish(started: ServerProcess, reason: CloseReason, gone: boolean): void {
    started.destroyPipes();
    if (gone) return this.#end(reason);
    const { closeGraceMs, terminateGraceMs, killWaitMs } = this.#options.limits;
    const leftover = `process group ${started.pid} was still there ${killWaitMs} ms after SIGKILL (grace before that: ${closeGraceMs} + ${terminateGraceMs} ms)`;
    this.#end({ ...reason, leftover });
  }

  #end(reason: CloseReason): void {
    this.#reason ??= reason;
    this.#announce();
    this.#resolveClosed(reason);
  }
}
