/**
 * The config of one instance, as a user writes it and as the bridge uses it (S01-S09).
 * @module
 */
import type { ConnectionLimits } from './connection-limits.ts';
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
export interface TuningConfig extends ConnectionLimits {
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
  /** One `tools/list` request; default 60 000 (B03). */
  readonly discoveryTimeoutMs: number;
  /** A whole sync, all pages; default 120 000 (B03). */
  readonly syncTimeoutMs: number;
  /** How long a new instance waits for one of the same name that is being disposed; default 15 000 (S08). */
  readonly nameWaitMs: number;
  /** Pages of one listing; default 2 000 (B01). */
  readonly maxPages: number;
  /** Tools of one listing; default 20 000 (B01). */
  readonly maxTools: number;
  /** Approximate JSON size of one listing, all pages; default 64 MiB (B01). */
  readonly maxListBytes: number;
  /** Levels an input schema may nest to be registered; default 200 (B13). */
  readonly maxSchemaDepth: number;
  /** Levels the canonical value of a result may nest; default 1 000 (B01). */
  readonly maxResultDepth: number;
  /** Over HTTP: whether status 400 that speaks of the session may mean its end; default `true` (R46). */
  readonly sessionLostOn400: boolean;
  /** Text for the model of one result, UTF-16 code units, marker included, and blocks looked at for it; default 100 000 (B16). */
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
