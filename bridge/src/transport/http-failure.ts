/** What goes wrong with a request over HTTP, in words that name the cause and the fix (B06), and what it says of the connection. */
import { BridgeError, describeError, type BridgeErrorOptions } from '../errors.ts';
import { isObject, systemCode } from './narrow.ts';

/**
 * What a failure says of the connection as a whole (B09): it is gone; it may be, and a `ping` will tell; nothing.
 */
export type Evidence = 'lost' | 'doubt' | 'none';

/** Facts beside the message of an {@link HttpFailure}. */
export interface HttpFailureOptions extends BridgeErrorOptions {
  readonly evidence: Evidence;
  /** Whether the same request may succeed a little later. */
  readonly isPassing?: boolean;
}

/** A failed request. The message is complete but for where it happened. */
export class HttpFailure extends BridgeError {
  readonly evidence: Evidence;
  readonly isPassing: boolean;

  constructor(message: string, options: HttpFailureOptions) {
    super('http-error', message, options);
    this.evidence = options.evidence;
    this.isPassing = options.isPassing ?? false;
  }
}

/** Network errors that come before a request is sent, whatever system call they come from. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH']);

/** What Node and OpenSSL call a certificate that is not accepted, or the other side's want of TLS. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/;

/**
 * A request that got no answer.
 * @param error what `fetch` rejected with
 * @param place the server's origin; never its path or query, which may hold a secret (B18)
 */
export function networkFailure(error: unknown, place: string): HttpFailure {
  const cause = deepestCause(error);
  const code = systemCode(cause);
  const isUnsent = code !== undefined && (UNSENT.has(code) || TLS_CODE.test(code) || isConnecting(cause));
  return new HttpFailure(describeNetwork(cause, code ?? '', place), {
    cause: error,
    executed: isUnsent ? 'no' : 'unknown',
    evidence: code !== undefined && UNSENT.has(code) ? 'lost' : 'doubt',
    isPassing: true,
  });
}

function describeNetwork(cause: unknown, code: string, place: string): string {
  const words = describeError(cause);
  const facts = code === '' || words.includes(code) ? words : `${code}: ${words}`;
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
  if (cause instanceof Error && cause.name === 'HTTPParserError') return `what ${place} answered is no HTTP (${facts}); correct scheme and port in \`url\``;
  if (words.startsWith('Proxy ')) return `the proxy refused to reach ${place} (${words}); look at HTTP_PROXY, HTTPS_PROXY and NO_PROXY`;
  return `the connection to ${place} broke before there was an answer (${facts})`;
}

/** An answer that is a refusal or a failure, and what is known of the request. */
export interface RefusedAnswer {
  readonly status: number;
  /** The beginning of its body. */
  readonly body: string;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly place: string;
  /** Whether the request named a session. */
  readonly hasSession: boolean;
  /** Whether status 400 may mean that the session is gone (R46). */
  readonly sessionLostOn400: boolean;
}

/** Statuses with which a server, or what stands before it, refuses a request that it has not run. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 406, 407, 410, 411, 413, 415, 421, 429, 431]);

/** How servers say with status 400 that they know no such session (R46). */
const SESSION_WORDS = /session|not (?:been )?initiali[sz]ed/i;

/** A request whose answer is no success. Status 404 or 410 for a session is its end, by the specification. */
export function statusFailure(answer: RefusedAnswer): HttpFailure {
  const { status, body, hasSession } = answer;
  const isRedirect = status >= 300 && status < 400;
  let evidence: Evidence = 'none';
  if (hasSession && (status === 404 || status === 410)) evidence = 'lost';
  else if (hasSession && status === 400 && answer.sessionLostOn400 && SESSION_WORDS.test(body)) evidence = 'doubt';
  return new HttpFailure(`status ${status}: ${describeStatus(answer, evidence)}`, {
    executed: isRedirect || REFUSALS.has(status) ? 'no' : 'unknown',
    httpStatus: status,
    evidence,
    isPassing: status >= 500 || status === 429,
  });
}

function describeStatus({ status, body, contentType, location, place }: RefusedAnswer, evidence: Evidence): string {
  const words = quoteAnswer(body, contentType);
  if (evidence === 'lost') return `the server does not know this session any more${words}`;
  if (evidence === 'doubt') return `the server says something about the session${words}`;
  if (location !== undefined) return `it redirects to ${location}, which is not followed; if you trust that address, write it in \`url\``;
  switch (status) {
    case 401:
    case 403:
      return `the server refuses these credentials${words}; correct the key or token in \`headers\``;
    case 404:
      return `${place} has nothing at this path${words}; correct the path in \`url\`, it often ends in /mcp`;
    case 405:
    case 406:
    case 415:
      return `this address takes no Streamable HTTP${words}; correct \`url\` (an old server may only offer SSE, which this bridge does not speak)`;
    case 407:
      return `the proxy wants credentials${words}; put them into HTTP_PROXY or HTTPS_PROXY`;
    case 413:
      return `the request is too large for the server${words}`;
    case 429:
      return `the server says it gets too many requests${words}; try again later`;
    default:
      return status >= 500 ? `the server, or a gateway before it, failed${words}; its own log says why` : `the server refuses the request${words}`;
  }
}

/** An answer that is a success and no MCP. */
export function strangeAnswer(contentType: string, body: string, place: string): HttpFailure {
  const what = isWebPage(body, contentType) ? 'a web page' : contentType === '' ? 'content of no stated type' : `content of the type ${describeError(contentType)}`;
  return new HttpFailure(`${place} answered with ${what}, not with MCP; correct the path in \`url\`, it often ends in /mcp`, { executed: 'unknown', evidence: 'none' });
}

/** What an error's body says, bounded: the message of a JSON-RPC error, nothing of a web page, else its beginning. */
function quoteAnswer(body: string, contentType: string): string {
  if (isWebPage(body, contentType)) return ' (it sent a web page)';
  const text = describeError(messageIn(body) ?? body).trim();
  return text === '' ? '' : ` (it says: ${text.length > 300 ? `${text.slice(0, 299)}…` : text})`;
}

function messageIn(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = isObject(parsed) ? (parsed['error'] ?? parsed) : undefined;
  const message = isObject(error) ? error['message'] : error;
  return typeof message === 'string' ? message : undefined;
}

function isWebPage(body: string, contentType: string): boolean {
  return contentType.includes('text/html') || /^\s*<(?:!doctype html|html)/i.test(body);
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
