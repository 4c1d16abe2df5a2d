/** What the answer to a request over HTTP means that is no success, in words that name the cause and the fix (B06), and what it says of the connection. */
import { BridgeError, describeError, type BridgeErrorOptions } from '../errors.ts';
import { isWebPage, quoteAnswer } from './answer-words.ts';
import { doubtsSession } from './lost-session.ts';
import type { StoppedRedirect, Trail } from './redirects.ts';

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

/** An answer that is a refusal or a failure, and what is known of the request. */
export interface RefusedAnswer {
  readonly status: number;
  /** The beginning of its body. */
  readonly body: string;
  readonly contentType: string;
  /** The redirect that it is, if it is one. */
  readonly redirect: StoppedRedirect | undefined;
  /** What the request asked for: an event stream, where it was a GET. */
  readonly method: Trail['method'];
  readonly place: string;
  /** Whether the config has headers to send. */
  readonly hasHeaders: boolean;
  /** Whether the request named a session. */
  readonly hasSession: boolean;
  /** Whether words about the session may mean that it is gone (R46). */
  readonly sessionLostOn400: boolean;
}

/** Statuses with which a server, or what stands before it, refuses a request that it has not run. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 406, 407, 410, 411, 413, 415, 421, 429, 431]);

/** Statuses with which a server says that it offers no stream of events (R48). */
const NO_STREAM = new Set([404, 405, 406, 415]);

/** A request whose answer is no success. Status 404 or 410 for a session is its end, by the specification. */
export function statusFailure(answer: RefusedAnswer): HttpFailure {
  const { status, body, hasSession, redirect } = answer;
  // No status below 300 is a failure.
  const isRedirect = status < 400;
  let session: Evidence = 'none';
  if (hasSession && (status === 404 || status === 410)) session = 'lost';
  else if (hasSession && answer.sessionLostOn400 && doubtsSession(status, body)) session = 'doubt';
  return new HttpFailure(`status ${status}: ${redirect?.words ?? describeStatus(answer, session)}`, {
    executed: isRedirect || REFUSALS.has(status) ? 'no' : 'unknown',
    httpStatus: status,
    // A `ping` follows the redirect that a call does not, and finds the new address.
    evidence: redirect?.hasMoved === true ? 'doubt' : session,
    isPassing: status >= 500 || status === 429,
  });
}

function describeStatus({ status, body, contentType, method, place, hasHeaders }: RefusedAnswer, session: Evidence): string {
  const words = quoteAnswer(body, contentType);
  if (session === 'lost') return `the server does not know this session any more${words}`;
  if (session === 'doubt') return `the server says something about the session${words}`;
  if (method === 'GET' && NO_STREAM.has(status)) return `the server offers no event stream at this address${words}`;
  switch (status) {
    case 401:
    case 403:
      return hasHeaders
        ? `the server refuses these credentials${words}; correct the key or token in \`headers\``
        : `the server refuses a request without credentials${words}; no \`headers\` are configured: put the key or token that it wants there`;
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
export function strangeAnswer({ contentType, body, method, place }: Pick<RefusedAnswer, 'contentType' | 'body' | 'method' | 'place'>): HttpFailure {
  const what = isWebPage(body, contentType) ? 'a web page' : contentType === '' ? 'content of no stated type' : `content of the type ${describeError(contentType)}`;
  // An address that has served the POST is the right one.
  if (method === 'GET') return new HttpFailure(`${place} answered with ${what}, not with an event stream`, { executed: 'unknown', evidence: 'none' });
  return new HttpFailure(`${place} answered with ${what}, not with MCP; correct the path in \`url\`, it often ends in /mcp`, { executed: 'unknown', evidence: 'none' });
}
