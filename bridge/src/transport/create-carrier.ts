/** From a server's config to the transport that reaches it. */
import { buildChildEnv } from '../child-env.ts';
import type { ConnectionLimits } from '../connection-limits.ts';
import type { ProcessEffects } from '../process/server-process.ts';
import type { Carrier } from './carrier.ts';
import type { FetchFunction } from './http-headers.ts';
import { readProxySettings, type ProxySettings } from './proxy-settings.ts';
import type { Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { StdioTransport } from './stdio-transport.ts';
import { HttpTransport } from './streamable-http.ts';

/** A server that is a child process (S03). */
export interface StdioTarget {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** On top of the inherited environment (S51). */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: the host's. */
  readonly cwd?: string | undefined;
}

/** A server behind a URL (S04). */
export interface HttpTarget {
  readonly transport: 'streamable-http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests in place of the platform's `fetch` (B29); must honour `redirect: 'manual'` and `signal`. */
  readonly fetch?: FetchFunction | undefined;
  /** Whether status 400 or 401, or an error, that says that the session is gone may mean its end (R46); default `true`. */
  readonly sessionLostOn400?: boolean | undefined;
}

/** Where a server is. A config of the plugin fits. */
export type ConnectionTarget = StdioTarget | HttpTarget;

/** The outside world; production values by default. */
export interface ConnectionEffects extends ProcessEffects {
  /** The environment children inherit from (S51); default: this process's, at the time of each start. */
  readonly ambientEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Makes a child's environment (S51); default: {@link buildChildEnv}. For tests that put a defect there. */
  readonly buildEnv?: typeof buildChildEnv | undefined;
  /** Goes before a target's `fetch`; for tests that put a defect there. */
  readonly fetch?: FetchFunction | undefined;
  /** The platform's proxy settings (B29); default: those of this process, at the time of each connection. */
  readonly proxy?: ProxySettings | undefined;
}

/** What every carrier gets. */
export interface CarrierOptions {
  readonly limits: ConnectionLimits;
  readonly redact: Redactor;
  readonly reports: ReportLimiter;
  readonly effects: ConnectionEffects;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Over HTTP: notices may have been missed. */
  readonly onGap: () => void;
}

/**
 * Makes the carrier; nothing is started or sent yet.
 * @throws BridgeError `connect-failed` for an unusable URL or header.
 */
export function createCarrier(target: ConnectionTarget, options: CarrierOptions): Carrier {
  if (target.transport === 'streamable-http') {
    const { effects } = options;
    return new HttpTransport({
      ...options,
      url: target.url,
      headers: target.headers ?? {},
      fetch: effects.fetch ?? target.fetch,
      proxy: effects.proxy ?? readProxySettings(process.env),
      sessionLostOn400: target.sessionLostOn400 ?? true,
    });
  }
  const build = options.effects.buildEnv ?? buildChildEnv;
  const env = build(options.effects.ambientEnv ?? process.env, target.env);
  const program = { command: target.command, args: target.args ?? [], env, cwd: target.cwd };
  return new StdioTransport({ ...options, program });
}
