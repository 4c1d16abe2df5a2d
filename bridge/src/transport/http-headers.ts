/** The configured headers as they go with every request to the configured origin (S04, B18). */
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
 * The configured headers without those that belong to the protocol.
 * @param onIgnored called once for each header that is not sent because its name is the protocol's.
 * @throws BridgeError `connect-failed` for a header that HTTP does not allow; its value is not repeated.
 */
export function usableHeaders(headers: Readonly<Record<string, string>>, onIgnored: (message: string) => void): Readonly<Record<string, string>> {
  const usable: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) {
      onIgnored(`the configured header ${JSON.stringify(name)} is not sent: it belongs to the protocol; remove it`);
      continue;
    }
    checkHeader(name, value);
    usable.push([name, value]);
  }
  return Object.fromEntries(usable);
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
