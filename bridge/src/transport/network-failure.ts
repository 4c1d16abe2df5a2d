/** What goes wrong with a request over HTTP before there is an answer, in words that name the cause and the fix (B06). */
import { describeError } from '../errors.ts';
import { HttpFailure } from './http-failure.ts';
import { isObject, systemCode } from './narrow.ts';
import type { ProxyRoute } from './proxy-settings.ts';

/** Network errors that come before a request is sent, whatever system call they come from. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH']);

/** What Node and OpenSSL call a certificate that is not accepted, or the other side's want of TLS. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/;

/** How `fetch` says that it sends nothing to this port, whoever listens there (https://fetch.spec.whatwg.org/#port-blocking). */
const BLOCKED_PORT = 'bad port';

/**
 * A request that got no answer.
 * @param error what `fetch` rejected with
 * @param place the server's origin; never its path or query, which may hold a secret (B18)
 * @param proxy what the connection is made to in place of the server
 */
export function networkFailure(error: unknown, place: string, proxy?: ProxyRoute): HttpFailure {
  const cause = deepestCause(error);
  const words = describeError(cause);
  if (words === BLOCKED_PORT) {
    const text = `the port of ${place} is one to which fetch sends nothing, since other services own it (${words}); let the server listen at another port and correct \`url\``;
    return new HttpFailure(text, { cause: error, executed: 'no', evidence: 'none' });
  }
  const code = systemCode(cause) ?? '';
  const isUnsent = code !== '' && (UNSENT.has(code) || TLS_CODE.test(code) || isConnecting(cause));
  const facts = words.includes(code) ? words : `${code}: ${words}`;
  const text = (proxy === undefined ? undefined : describeProxy(cause, code, facts, place, proxy)) ?? describeNetwork(cause, code, facts, place);
  return new HttpFailure(text, {
    cause: error,
    executed: isUnsent ? 'no' : 'unknown',
    evidence: UNSENT.has(code) ? 'lost' : 'doubt',
    isPassing: true,
  });
}

function describeNetwork(cause: unknown, code: string, facts: string, place: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `nobody listens at ${place} (${facts}); start the server, or correct the host and port in \`url\``;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name of ${place} cannot be resolved (${facts}); correct \`url\`, or look at the network`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${place} cannot be reached (${facts}); correct \`url\`, or look at the network and its proxy`;
    default:
  }
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO/.test(code)) return `${place} speaks no TLS (${facts}); write http:// in \`url\``;
  if (TLS_CODE.test(code)) return `the TLS certificate of ${place} is not accepted (${facts}); for an authority of your own set NODE_EXTRA_CA_CERTS`;
  if (isNoHttp(cause)) return `what ${place} answered is no HTTP (${facts}); correct scheme and port in \`url\``;
  return `the connection to ${place} broke before there was an answer (${facts})`;
}

/** The same where a proxy stands before the server: it is the proxy that cannot be reached, or that refuses. */
function describeProxy(cause: unknown, code: string, facts: string, place: string, { shown, variable }: ProxyRoute): string | undefined {
  const there = `the proxy ${shown}, through which ${place} is asked for,`;
  const fix = `correct ${variable}, or name the server's host in NO_PROXY`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nobody listens at ${there} (${facts}); start the proxy, ${fix}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name of ${there} cannot be resolved (${facts}); ${fix}`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${there} cannot be reached (${facts}); ${fix}`;
    default:
  }
  if (isNoHttp(cause)) return `what ${there} answered is no HTTP (${facts}); ${fix}`;
  return facts.includes('Proxy response (') ? `${there} refused to reach it (${facts}); look at its rules, ${fix}` : undefined;
}

function isNoHttp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'HTTPParserError';
}

/** Why a `fetch` failed is often two causes deep, and several addresses of one host make one error of many. */
function deepestCause(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause !== undefined; depth += 1) found = found.cause;
  return found instanceof AggregateError && systemCode(found) === undefined ? found.errors[0] : found;
}

function isConnecting(error: unknown): boolean {
  return isObject(error) && error['syscall'] === 'connect';
}
