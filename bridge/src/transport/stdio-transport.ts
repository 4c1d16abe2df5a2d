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
import { DrainWait } from './drain-wait.ts';
import type { Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { StdioOutput } from './stdio-output.ts';

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
  readonly #output: StdioOutput;
  readonly #drained = new DrainWait();
  readonly #resolveClosed: (reason: CloseReason) => void;
  #process: ServerProcess | undefined;
  /** Why the connection ended, as soon as that is known; set before `onclose`. */
  #reason: CloseReason | undefined;
  #announced = false;
  #closing = false;
  #starting = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    const { limits, redact, reports } = options;
    this.#output = new StdioOutput({
      limits, redact, reports,
      onMessage: (message) => this.#deliver(message),
      onHopeless: (detail) => this.#fail(detail),
    });
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
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await this.#drained.until(stdin);
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

  get skipped(): number {
    return this.#output.skipped;
  }

  /** See `Carrier.lastWords`. */
  lastWords(): string {
    return this.#output.lastWords();
  }

  #wire(started: ServerProcess): void {
    const { stdin, stdout, stderr } = started;
    this.#output.read(started);
    // A pipe that breaks while the process lives is no use any more; when the process is gone, `exited` tells more.
    const broken = (what: string) => (): void => void this.#failUnlessExiting(started, what);
    stdin.on('error', broken('closed its stdin'));
    stdout.on('end', broken('closed its stdout'));
    stdout.on('error', broken('closed its stdout'));
    stderr.on('error', () => {});
    void started.exited.then((exit) => this.#afterExit(started, exit));
  }

  /** Whatever a handler does, the host goes on (B27). */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends a connection that cannot go on. */
  #fail(detail: string): void {
    if (this.#reason !== undefined || this.#process === undefined) return;
    this.#reason = { kind: 'protocol', detail: this.#withLastWords(detail) };
    this.#output.stop();
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
    await this.#output.readRest(started, this.#options.effects.now ?? (() => performance.now()));
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

  #exitReason({ code, signal }: ProcessExit): CloseReason {
    return signal === null
      ? { kind: 'exit', detail: this.#withLastWords(`the process exited with code ${code}`) }
      : { kind: 'signal', detail: this.#withLastWords(`the process was ended by ${signal}`) };
  }

  #withLastWords(detail: string): string {
    const words = this.lastWords();
    return words === '' ? detail : `${detail}; ${words}`;
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    this.#output.stop();
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
