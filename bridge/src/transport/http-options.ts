/** What an HTTP connection is given. */
import type { ConnectionLimits } from '../connection-limits.ts';
import type { FetchFunction } from './http-headers.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';

/** What a connection over Streamable HTTP is made of. */
export interface HttpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests in place of the platform's; has proxies and sockets of its own (B29). */
  readonly fetch: FetchFunction | undefined;
  readonly proxy: ProxySettings;
  /** Whether status 400 or 401, or an error, that says that the session is gone may mean its end (R46). */
  readonly sessionLostOn400: boolean;
  readonly limits: ConnectionLimits;
  readonly redact: Redactor;
  readonly reports: ReportLimiter;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Notices may have been missed. */
  readonly onGap: () => void;
}
