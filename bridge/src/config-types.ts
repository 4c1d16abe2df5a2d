/**
 * The config of one instance, as a user writes it and as the bridge uses it (S01-S09).
 * @module
 */
import type { FetchFunction } from './transport/http-headers.ts';

/** How a lost or never made connection is retried (S07, S52-S54). */
export interface ReconnectConfig {
  /** Whether to retry at all; default `true` (S57). */
  readonly enabled: boolean;
  /** The first delay, milliseconds; default 500. */
  readonly initialDelayMs: number;
  /** The longest delay, and the uptime that resets the budget, milliseconds; default 30 000. */
  readonly maxDelayMs: number;
  /** Attempts allowed in one outage; default 10. */
  readonly maxAttempts: number;
}

/** Every bound and choice that has a default; all durations are milliseconds, all sizes bytes unless named otherwise. */
export interface TuningConfig {
  /** Bounds one call; default 60 000 (S05). */
  readonly toolCallTimeoutMs: number;
  /**
   * The longest a call may take; default `toolCallTimeoutMs`, which is the least. Above it the server is asked for progress,
   * and each notice of it begins `toolCallTimeoutMs` anew (B11).
   */
  readonly toolCallMaxTotalMs: number;
  /** Whether a failed first connection or sync rejects activation; default `false` (S06). */
  readonly failOnStartupError: boolean;
  readonly reconnect: ReconnectConfig;
  /** From the start of a connection to a completed `initialize`; default 60 000 (B03). */
  readonly connectTimeoutMs: number;
  /** One `tools/list` request; default 60 000 (B03). */
  readonly discoveryTimeoutMs: number;
  /** A whole sync, all pages; default 120 000 (B03). */
  readonly syncTimeoutMs: number;
  /** How long a process may take to leave by itself, and a session to be deleted, on close; default 2 000 (S60). */
  readonly closeGraceMs: number;
  /** How long a process may take to leave after SIGTERM, before SIGKILL; default 2 000 (S60). */
  readonly terminateGraceMs: number;
  /** How long the proof that every process is gone may take after SIGKILL; default 2 000 (S58). */
  readonly killWaitMs: number;
  /** How long output that goes on coming is read after a process exited; default 250 (B07). */
  readonly drainAfterExitMs: number;
  /** How long a new instance waits for one of the same name that is being disposed; default 15 000 (S08). */
  readonly nameWaitMs: number;
  /** Pages of one listing; default 2 000 (B01). */
  readonly maxPages: number;
  /** Tools of one listing; default 20 000 (B01). */
  readonly maxTools: number;
  /** Approximate JSON size of one listing, all pages; default 64 MiB (B01). */
  readonly maxListBytes: number;
  /** One message of the server; default 64 MiB (B01). */
  readonly maxMessageBytes: number;
  /** How much of the server's stderr is kept for error messages; default 8 KiB (B06). */
  readonly stderrTailBytes: number;
  /** The longest line of stderr or noise that is logged, the rest of it is dropped; default 2 KiB (B08). */
  readonly maxReportedLineBytes: number;
  /** Lines of one kind logged in one second, the rest are counted; default 20 (B01, B08). */
  readonly maxReportsPerSecond: number;
  /** Answers to requests of the server that may wait to be sent; default 10 000 (B01, B21). */
  readonly maxWaitingReplies: number;
  /** Over HTTP: whether status 400 that speaks of the session may mean its end; default `true` (R46). */
  readonly sessionLostOn400: boolean;
  /** Over HTTP: how long a notification or an answer of the bridge may take to be accepted; default 10 000 (B01). */
  readonly noticePostTimeoutMs: number;
  /** Over HTTP: how long the `ping` may take that tells whether a doubtful session lives; default 10 000 (B09). */
  readonly probeTimeoutMs: number;
  /** Over HTTP: how long calls on their way may take to meet the loss of their connection themselves; default 250 (B04). */
  readonly lossGraceMs: number;
  /** Over HTTP: how long an event stream is read on after its answer came; default 1 000 (B01). */
  readonly answerDrainMs: number;
  /** Over HTTP: how long the beginning of an error's body may take to come; default 1 000 (B06). */
  readonly errorBodyTimeoutMs: number;
  /** Over HTTP: the wait before a lost event stream is asked for again, where the server names none; default 500 (B10). */
  readonly streamRetryMs: number;
  /** Over HTTP: the longest such wait, whatever the server names; default 30 000 (B10). */
  readonly maxStreamRetryMs: number;
  /** Over HTTP: failures in a row to get an event stream again before it is given up; default 5 (B10). */
  readonly maxStreamAttempts: number;
  /** Text for the model of one result, UTF-16 code units, marker included; default 100 000 (B16). */
  readonly resultTextMaxChars: number;
  /** One image of a result, encoded; default 20 MiB (R66). */
  readonly maxImageBytes: number;
  /** Images of one result; more are shown as text; default 20 (R66). */
  readonly maxImagesPerResult: number;
  /** How long the host may take to say whether the model takes images; default 10 000 (S44). */
  readonly imageLookupTimeoutMs: number;
  /** How long the attachment store may take for the images of one result; default 30 000 (S43). */
  readonly imageStoreTimeoutMs: number;
  /** Silence after a list change before the list is read again; default 100 (B02). */
  readonly listChangeQuietMs: number;
  /** The longest wait from the first list change of a burst; doubles while the burst lasts; default 500 (B02). */
  readonly listChangeMaxWaitMs: number;
  /** What a result without structured content under a declared `outputSchema` becomes; default `warn` (S37). */
  readonly missingStructuredContent: 'warn' | 'fail';
  /** An input schema whose root is no object: handed on as it is, or given `type: object`; default `pass` (B13). */
  readonly schemaRoot: 'pass' | 'repair';
}

/** A server that the bridge starts as a child process (S03). */
export interface ResolvedStdioConfig extends TuningConfig {
  readonly transport: 'stdio';
  /** The namespace of this server's tools: `^[A-Za-z0-9_-]{1,32}$` (S02). */
  readonly serverName: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `undefined` means the host's. */
  readonly cwd: string | undefined;
}

/** A server that is reached over Streamable HTTP (S04). */
export interface ResolvedHttpConfig extends TuningConfig {
  readonly transport: 'streamable-http';
  /** The namespace of this server's tools: `^[A-Za-z0-9_-]{1,32}$` (S02). */
  readonly serverName: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the requests in place of the platform's `fetch` (B29). */
  readonly fetch: FetchFunction | undefined;
}

/** A config after defaults and judgement. */
export type ResolvedConfig = ResolvedStdioConfig | ResolvedHttpConfig;

/** The optional part of what a user writes. */
type UserTuning = Partial<Omit<TuningConfig, 'reconnect'>> & { readonly reconnect?: Partial<ReconnectConfig> };

/** What a user writes for a child process (S03). */
export interface StdioConfig extends UserTuning {
  readonly transport: 'stdio';
  readonly serverName: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What a user writes for Streamable HTTP (S04). */
export interface StreamableHttpConfig extends UserTuning {
  readonly transport: 'streamable-http';
  readonly serverName: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests in place of the platform's `fetch`; must honour `redirect: 'manual'` and `signal` (B29). */
  readonly fetch?: FetchFunction;
}

/** One flat config, discriminated on `transport` (S01). */
export type Config = StdioConfig | StreamableHttpConfig;
