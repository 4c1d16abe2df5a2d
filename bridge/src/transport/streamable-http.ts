/**
 * MCP over Streamable HTTP: the library's transport with the configured headers, and a close that deletes the session
 * (S04, S60, B09).
 *
 * `closed` resolves when the bridge closes. A server that goes away is seen by the requests that fail; noticing it
 * between requests is not built yet (B09, B10).
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionLimits } from '../connection-limits.ts';
import { BridgeError } from '../errors.ts';
import type { CloseReason } from '../session.ts';
import { fetchBounded } from './bounded-response.ts';
import type { Carrier } from './carrier.ts';
import { deferred } from './deferred.ts';
import { setHandlers } from './handlers.ts';
import { fetchWithHeaders, type FetchFunction } from './http-headers.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { describeHttpError } from './request-failure.ts';

/** What a {@link HttpTransport} is made of. */
export interface HttpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchFunction | undefined;
  readonly limits: ConnectionLimits;
  readonly reports: ReportLimiter;
}

/** See the module's comment. The constructor throws `connect-failed` for an unusable URL or header; `close` never rejects. */
export class HttpTransport implements Transport, Carrier {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly transport: Transport = this;
  readonly pid = undefined;
  readonly closed: Promise<CloseReason>;
  readonly #options: HttpTransportOptions;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #resolveClosed: (reason: CloseReason) => void;
  #reason: CloseReason | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    const url = parseUrl(options.url);
    this.#inner = new StreamableHTTPClientTransport(url, {
      fetch: fetchBounded(
        fetchWithHeaders(url, options.headers, options.fetch ?? fetch, (message) =>
          options.reports.report('protocol', 'warn', message),
        ),
        options.limits.maxMessageBytes,
      ),
      redirectPolicy: 'same-origin',
    });
    const { promise, resolve } = deferred<CloseReason>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  get reason(): CloseReason | undefined {
    return this.#reason;
  }

  async start(): Promise<void> {
    setHandlers(this.#inner, {
      onmessage: (message) => this.onmessage?.(message),
      onerror: (error) => this.onerror?.(error),
    });
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#reason !== undefined) {
      throw new BridgeError('not-connected', 'the connection is closed', { executed: 'no' });
    }
    await this.#inner.send(message);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  lastWords(): string {
    return '';
  }

  /** Deletes the session, within `closeGraceMs`, and ends every request. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#reason = { kind: 'closed-by-bridge', detail: 'closed by the bridge' };
    await this.#deleteSession();
    await this.#inner.close();
    this.onclose?.();
    this.#resolveClosed(this.#reason);
  }

  /** A server may refuse (405), have forgotten the session, or be gone: none of it keeps a connection from closing. */
  async #deleteSession(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#options.reports.report('protocol', 'warn', 'the session was not deleted: the server did not answer');
        resolve();
      }, this.#options.limits.closeGraceMs);
    });
    const deleted = this.#inner.terminateSession().catch((error: unknown) => {
      this.#options.reports.report('protocol', 'debug', `the session was not deleted: ${describeHttpError(error)}`);
    });
    await Promise.race([deleted, limit]);
    clearTimeout(timer);
  }
}

function parseUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // The text may hold credentials: it is not repeated.
  }
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new BridgeError('connect-failed', '`url` is no http or https URL; correct it');
  }
  return url;
}
