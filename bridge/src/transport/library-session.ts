/** Requests over an open connection, each bounded, abortable and with one clear outcome (S34, B05, B12). */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { clampTimerMs } from '../connection-limits.ts';
import { BridgeError } from '../errors.ts';
import type { JsonObject } from '../host-services.ts';
import type { CloseReason, RawToolPage, RequestLimits, Session } from '../session.ts';
import { hasAborted, watchAbortLate } from './abort-watch.ts';
import type { Carrier } from './carrier.ts';
import type { ServerDescription } from './handshake.ts';
import { isJsonObject, isObject } from './narrow.ts';
import { watchSilence, type ProgressTerms } from './progress-watch.ts';
import { notConnected, requestFailure, type RequestContext } from './request-failure.ts';
import type { SessionWire } from './session-wire.ts';

/** A session and what its server said about itself. */
export interface OpenedSession extends Session {
  readonly server: ServerDescription;
  /** The pid of a stdio server's leader. */
  readonly pid: number | undefined;
}

/** What a {@link ClientSession} is made of, after the handshake. */
export interface ClientSessionParts {
  readonly client: Client;
  readonly wire: SessionWire;
  readonly carrier: Carrier;
  readonly server: ServerDescription;
  readonly where: string;
  readonly redact: (text: string) => string;
}

/** See {@link Session}. */
export class ClientSession implements OpenedSession {
  readonly server: ServerDescription;
  readonly closed: Promise<CloseReason>;
  readonly #parts: ClientSessionParts;
  #lastToken = 0;
  #ended: CloseReason | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ClientSessionParts) {
    this.#parts = parts;
    this.server = parts.server;
    this.closed = parts.carrier.closed;
    void this.#watch();
  }

  async #watch(): Promise<void> {
    this.#ended = await this.closed;
    this.#parts.wire.end();
  }

  get pid(): number | undefined {
    return this.#parts.carrier.pid;
  }

  get isOpen(): boolean {
    return !this.#parts.wire.ended && this.#parts.carrier.reason === undefined;
  }

  async listToolsPage(cursor: string | undefined, limits: RequestLimits): Promise<RawToolPage> {
    const params = cursor === undefined ? undefined : { cursor };
    const context = this.#context(() => 'tools/list', limits, 'discoveryTimeoutMs', 'discovery-timeout', 'discovery-failed');
    const page = await this.#request('tools/list', params, limits, context);
    const { tools, nextCursor } = isObject(page) ? page : {};
    if (!Array.isArray(tools)) throw new BridgeError('discovery-failed', `${context().where} was answered without a \`tools\` array`);
    if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') {
      throw new BridgeError('discovery-failed', `${context().where} was answered with a \`nextCursor\` that is no string`);
    }
    return { tools, nextCursor: nextCursor ?? undefined };
  }

  async callTool(rawName: string, args: JsonObject, limits: RequestLimits): Promise<JsonObject> {
    const what = (): string => `tools/call ${JSON.stringify(rawName.length > 100 ? `${rawName.slice(0, 99)}…` : rawName)}`;
    const { timeoutMs, maxTotalMs = timeoutMs } = limits;
    const progress = maxTotalMs > timeoutMs ? { token: (this.#lastToken += 1), silenceMs: timeoutMs } : undefined;
    const option = progress === undefined ? 'toolCallTimeoutMs' : 'toolCallMaxTotalMs';
    const total = { ...limits, timeoutMs: maxTotalMs };
    const context = this.#context(what, total, option, 'call-timeout', 'rpc-error', timeoutMs);
    const params = { name: rawName, arguments: args };
    const asking = progress === undefined ? params : { ...params, _meta: { progressToken: progress.token } };
    const result = await this.#request('tools/call', asking, total, context, progress);
    if (!isJsonObject(result)) {
      throw new BridgeError('result-invalid', `${context().where} was answered with a result that is no object`, { executed: 'yes' });
    }
    return result;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { wire, where } = this.#parts;
    // Calls in flight end now, not after the grace of a server that may never answer.
    wire.end();
    await wire.close();
    const leftover = this.#ended?.leftover;
    if (leftover !== undefined) throw new BridgeError('close-incomplete', `${where}: the server was not ended: ${leftover}`);
  }

  /** The raw result. The library is given no signal: it would add a listener for each call and keep it (B24). */
  async #request(
    method: string,
    params: Record<string, unknown> | undefined,
    { signal, timeoutMs }: RequestLimits,
    context: () => RequestContext,
    progress?: ProgressTerms,
  ): Promise<unknown> {
    const { client, wire } = this.#parts;
    if (hasAborted(signal)) {
      throw new BridgeError('call-aborted', `${context().where} was given up before it was sent`, { executed: 'no' });
    }
    if (!this.isOpen) throw notConnected(context());
    const answer = client.request({ method, params }, ResultSchema, { timeout: clampTimerMs(timeoutMs) });
    const sent = wire.takeLastSent();
    const unwatch = signal === undefined || sent === undefined ? undefined : watchAbortLate(signal, () => wire.abort(sent, 'the caller gave up'));
    const endWatch = progress === undefined || sent === undefined ? undefined : watchSilence(wire, sent, progress);
    try {
      await answer;
    } catch (error) {
      throw requestFailure(sent, error, context());
    } finally {
      unwatch?.();
      endWatch?.();
    }
    // Given up so shortly before its answer that the watch had not begun: given up all the same (B12).
    if (hasAborted(signal)) {
      throw new BridgeError('call-aborted', `${context().where} was given up by the caller right before its answer came`, { executed: 'yes' });
    }
    return sent?.result;
  }

  /** Made only when a request failed. */
  #context(
    what: () => string,
    limits: RequestLimits,
    timeoutOption: string,
    timeout: 'call-timeout' | 'discovery-timeout',
    error: 'rpc-error' | 'discovery-failed',
    silenceMs = limits.timeoutMs,
  ): () => RequestContext {
    const { where, redact, carrier, wire } = this.#parts;
    const skippedBefore = carrier.skipped + wire.strays;
    return () => ({
      where: `${where}: ${what()}`,
      timeoutMs: limits.timeoutMs,
      timeoutOption,
      silenceMs,
      codes: { timeout, error },
      lossDetail: this.#closing === undefined ? carrier.reason?.detail : 'it was closed by the bridge',
      skipped: carrier.skipped + wire.strays - skippedBefore,
      redact,
    });
  }
}
