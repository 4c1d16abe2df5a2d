/**
 * The suite's end of the driver protocol: numbers requests, pairs replies in whatever order they come, checks every line,
 * and tells a driver that hangs from one that works.
 */
import type { z } from 'zod';
import { AdapterError, type AdapterErrorCode } from './bridge-adapter.ts';
import type { DriverBounds } from './driver-bounds.ts';
import { DriverProcess, type DriverCommand } from './driver-process.ts';
import {
  DRIVER_NOTIFICATIONS, DRIVER_PROTOCOL, fromWire, isDriverNotification, RPC_ERRORS, rpcNotification, rpcReply, toldByDriver, type DriverMethod,
} from './driver-protocol.ts';
import type { SubjectNotification } from './messages.ts';
import { problemsOf, quoted } from './problems.ts';

/** A request that waits for its reply. */
interface Pending {
  readonly method: DriverMethod;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: AdapterError) => void;
}

/** A result as it came, and in which line. */
interface Reply {
  readonly result: unknown;
  readonly line: number;
}

/** What some writers put before a text in UTF-8; no JSON begins with it. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Where the shapes are published, for messages. */
const SCHEMA = 'schemas/driver.schema.json';

/** One driver process and what is asked of it. */
export class DriverConnection {
  readonly #name: string;
  readonly #bounds: DriverBounds;
  readonly #process: DriverProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Set<(told: SubjectNotification) => void>();
  #lastId = 0;
  #broken: AdapterError | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** Whether anything came yet. Before that the bound of the start holds, which an interpreter may need whole. */
  #begun = false;
  /** The request that asks whether the driver still answers, when one is under way. */
  #probe: number | undefined;

  /** @param name how messages name the driver: its command */
  constructor(name: string, command: DriverCommand, bounds: DriverBounds) {
    this.#name = name;
    this.#bounds = bounds;
    this.#process = new DriverProcess(command, bounds, {
      line: (text, number) => this.#line(text, number),
      overlong: (number) => this.#break('invalid-reply', `line ${number} of its stdout is longer than ${bounds.maxLineBytes} bytes; one message takes one line, and ends with a line feed`),
      undecodable: (number, { byte, value }) => this.#break('invalid-reply', `line ${number} of its stdout is no UTF-8: its byte ${byte} is 0x${value.toString(16)}; write JSON in UTF-8, whatever the encoding of the machine is`),
      // One that was never there leaves nothing unanswered.
      gone: (how) => this.#break('driver-exited', `${how}${this.pid === undefined ? '' : this.#waiting()}`),
    });
  }

  /** The process id, for tests and messages. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The end of what it wrote on stderr. */
  get stderrTail(): string {
    return this.#process.stderrTail;
  }

  /**
   * Asks.
   * @param shape that of the method, from `DRIVER_METHODS`
   * @throws AdapterError `unsupported` when the driver has no such method, `driver-error` when it answers with another
   *   error, `invalid-reply`, `driver-exited`, `driver-hung`
   */
  async ask<P extends z.ZodType<object>, R extends z.ZodType>(
    method: DriverMethod, shape: { readonly params: P; readonly result: R }, params: z.input<P> & object,
  ): Promise<z.output<R>> {
    const { result, line } = await this.#send(method, params);
    const checked = shape.result.safeParse(result);
    if (checked.success) return checked.data;
    throw this.#error('invalid-reply', `line ${line} of its stdout, the reply to "${method}", does not fit: ${problemsOf(checked.error, result)}; see "${method}.result" in ${SCHEMA}`);
  }

  /** Listens to notifications. @returns stops listening. */
  onNotification(listener: (told: SubjectNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the process in order, bounded; what waits for a reply gets none. */
  async end(): Promise<void> {
    this.#give(new AdapterError('driver-exited', `the driver ${this.#name} was ended`));
    await this.#process.end();
  }

  /** Kills the process and everything it started. */
  async kill(): Promise<void> {
    this.#give(new AdapterError('driver-exited', `the driver ${this.#name} was killed`));
    await this.#process.kill();
  }

  /** Makes the whole connection fail and kills the process. */
  hang(what: string): void {
    this.#break('driver-hung', what);
  }

  #send(method: DriverMethod, params: object): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== undefined) {
        reject(this.#broken);
        return;
      }
      this.#lastId += 1;
      this.#pending.set(this.#lastId, { method, resolve, reject });
      this.#process.send(JSON.stringify({ jsonrpc: '2.0', id: this.#lastId, method, params }));
      if (this.#begun) this.#silence ??= this.#afterSilence();
    });
  }

  #line(text: string, number: number): void {
    if (this.#broken !== undefined) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      if (text.startsWith(BYTE_ORDER_MARK)) {
        this.#break('invalid-reply', `line ${number} of its stdout begins with a byte order mark; write UTF-8 without one`);
        return;
      }
      this.#break('invalid-reply', `line ${number} of its stdout is no JSON: ${quoted(text)}; only messages of the protocol belong there, write anything else to stderr`);
      return;
    }
    if (typeof message === 'object' && message !== null && 'method' in message) this.#notified(message, number);
    else this.#replied(message, number);
    this.#heard();
  }

  #replied(message: unknown, number: number): void {
    const parsed = rpcReply.safeParse(message);
    if (!parsed.success) {
      this.#break('invalid-reply', `line ${number} of its stdout is no reply of JSON-RPC 2.0: ${problemsOf(parsed.error, message)}; send {"jsonrpc":"2.0","id":<the request's>,"result":…} or "error"`);
      return;
    }
    const { id, error } = parsed.data;
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      const why = id >= 1 && id <= this.#lastId ? 'was answered already' : 'was never asked';
      this.#break('invalid-reply', `line ${number} of its stdout answers the id ${id}, which ${why}; answer each request once, with its own id`);
      return;
    }
    this.#pending.delete(id);
    if (id === this.#probe) this.#probe = undefined;
    const { method } = pending;
    if (error !== undefined) {
      pending.reject(error.code === RPC_ERRORS.methodNotFound
        ? new AdapterError('unsupported', `the driver has no "${method}"`)
        : this.#error('driver-error', `answered "${method}" with the error ${error.code}: ${error.message}`));
      return;
    }
    pending.resolve({ result: parsed.data.result, line: number });
  }

  #notified(message: object, number: number): void {
    const at = `line ${number} of its stdout`;
    const parsed = rpcNotification.safeParse(message);
    if (!parsed.success) {
      this.#break('invalid-reply', `${at} is no notification of JSON-RPC 2.0: ${problemsOf(parsed.error, message)}`);
      return;
    }
    const { method, params } = parsed.data;
    if ('id' in message) {
      this.#break('invalid-reply', `${at} is a request, "${method}"; a driver asks nothing: leave "id" out of a notification, and "method" out of a reply`);
      return;
    }
    if (!isDriverNotification(method)) {
      this.#break('invalid-reply', `${at} is a notification "${method}", which is none of ${Object.keys(DRIVER_NOTIFICATIONS).join(', ')}`);
      return;
    }
    const schema: z.ZodType = DRIVER_NOTIFICATIONS[method];
    const fits = schema.safeParse(params);
    if (!fits.success) {
      this.#break('invalid-reply', `${at}, the notification "${method}", does not fit: ${problemsOf(fits.error, params)}; see "${method}.notification" in ${SCHEMA}`);
      return;
    }
    const told = toldByDriver.parse(fromWire(method, params));
    for (const listener of this.#listeners) listener(told);
  }

  #heard(): void {
    this.#begun = true;
    this.#quiet();
    if (this.#pending.size > 0) this.#silence = this.#afterSilence();
  }

  #quiet(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  /** Silence alone says nothing: a call may take its time. A driver that does not even say who it is hangs. */
  #afterSilence(): NodeJS.Timeout {
    const waitMs = this.#probe === undefined ? this.#bounds.silenceMs : this.#bounds.answerMs;
    return setTimeout(() => {
      if (this.#probe !== undefined) {
        this.#break('driver-hung', `has not answered "describe" for ${this.#bounds.answerMs} ms${this.#waiting()}; a driver goes on reading and answers "describe" at any time, also while it works; it was killed`);
        return;
      }
      this.#silence = undefined;
      // Before it is sent, since sending starts the wait for its answer.
      this.#probe = this.#lastId + 1;
      this.#send('describe', { protocol: DRIVER_PROTOCOL }).catch(() => undefined);
    }, waitMs);
  }

  /** What waits for a reply now, for messages. */
  #waiting(): string {
    const methods = [...this.#pending].filter(([id]) => id !== this.#probe).map(([, { method }]) => `"${method}"`);
    return methods.length === 0 ? '' : `, with ${[...new Set(methods)].join(', ')} unanswered`;
  }

  #error(code: AdapterErrorCode, what: string): AdapterError {
    const tail = code === 'driver-exited' || code === 'driver-hung' ? this.#process.stderrTail : '';
    return new AdapterError(code, `the driver ${this.#name} ${what}${tail === '' ? '' : `; the end of its stderr:\n${tail}`}`);
  }

  #break(code: AdapterErrorCode, what: string): void {
    if (this.#broken !== undefined) return;
    this.#give(this.#error(code, what));
    void this.#process.kill();
  }

  #give(error: AdapterError): void {
    this.#broken ??= error;
    this.#quiet();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of waiting) pending.reject(this.#broken);
  }
}
