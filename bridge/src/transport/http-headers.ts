/** Sends the configured headers to the configured origin and nowhere else (S04, B18). */
import { BridgeError } from '../errors.ts';

/** What sends HTTP requests: the platform's `fetch` or one like it (B29). */
export type FetchFunction = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Headers that belong to the protocol or to the HTTP client; a configured one of these names is ignored (S04). */
const PROTOCOL_HEADERS = new Set([
  'accept',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
]);

/**
 * A `fetch` that adds the headers to requests whose origin is that of `url`. Redirects are left to the caller, which
 * must not follow them out of the origin.
 * @param onIgnored called once for each header that is not sent because its name is the protocol's.
 * @throws BridgeError `connect-failed` for a header that HTTP does not allow; its value is not repeated.
 */
export function fetchWithHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
  send: FetchFunction,
  onIgnored: (message: string) => void,
): FetchFunction {
  const own: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) {
      onIgnored(`the configured header ${JSON.stringify(name)} is not sent: it belongs to the protocol; remove it`);
      continue;
    }
    checkHeader(name, value);
    own.push([name, value]);
  }
  if (own.length === 0) return send;
  return (target, init) => {
    if (new URL(target).origin !== url.origin) return send(target, init);
    const merged = new Headers(init?.headers);
    for (const [name, value] of own) merged.set(name, value);
    return send(target, { ...init, headers: merged });
  };
}

function checkHeader(name: string, value: string): void {
  try {
    new Headers().append(name, value);
  } catch {
    throw new BridgeError(
      'connect-failed',
      `the configured header ${JSON.stringify(name)} has a name or a value that HTTP does not allow; correct it in \`headers\``,
    );
  }
}
