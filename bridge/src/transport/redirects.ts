/**
 * Where a redirect leads, and whether a request goes there (S04, B04): within the origin only, at most {@link MAX_REDIRECTS} in a
 * row, never to an address where it has been, a request with a body only where the status keeps method and body, and a call
 * never: it is sent once.
 */
import { cutText } from '../model-text.ts';
import { REDACTED } from './redact.ts';

/** Redirects in a row that are followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Those that keep method and body. */
const KEEPS_METHOD = new Set([307, 308]);

/** Longest address that is shown, UTF-16 units. */
const SHOWN_ADDRESS_LENGTH = 300;

/** A redirect that is not followed. */
export interface StoppedRedirect {
  /** Where it leads, why it is not followed, and what to do. */
  readonly words: string;
  /** Whether other requests would follow it: the server has another address by now. */
  readonly hasMoved: boolean;
}

/** A request on its way. */
export interface Trail {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Whether it is a call, which is sent once, whatever it is answered (B04). */
  readonly isOnce: boolean;
  /** Where it is now. */
  readonly at: URL;
  /** Where it has been, the present place included. */
  readonly been: ReadonlySet<string>;
}

/** What an answer says of the way: the next address, why not to go there, or nothing when it is no redirect. */
export function nextAddress({ status, headers }: Pick<Response, 'status' | 'headers'>, { method, isOnce, at, been }: Trail): URL | StoppedRedirect | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const location = headers.get('location') ?? '';
  if (location === '') return stopped('it redirects and does not say where to (there is no Location header); correct `url`, or the server');
  if (!URL.canParse(location, at.href)) return stopped('it redirects to something that is no address (its Location header cannot be read); correct `url`, or the server');
  const target = new URL(location, at);
  // A fragment is never sent: with another one it is the same address.
  target.hash = '';
  const { protocol } = target;
  if (protocol !== 'http:' && protocol !== 'https:') return stopped(`it redirects to an address of the scheme "${cutText(protocol, 40)}", which is not followed; correct \`url\`, or the server`);
  const shown = showAddress(target);
  if (target.origin !== at.origin) return stopped(`it redirects to ${shown}, another origin, which is not followed; if you trust that address, write it in \`url\``);
  if (been.has(target.href)) return stopped(`it redirects in a circle, back to ${shown}; correct the server, or \`url\``);
  if (method !== 'GET' && !KEEPS_METHOD.has(status)) return stopped(`it redirects to ${shown}, which is not followed, since this status makes a GET of the request; write that address in \`url\``);
  if (isOnce) return { words: `it redirects to ${shown}, which is not followed, since a call is sent once; try again, or write that address in \`url\``, hasMoved: true };
  if (been.size > MAX_REDIRECTS) return stopped(`it redirects for the ${MAX_REDIRECTS + 1}th time in a row, to ${shown}, and ${MAX_REDIRECTS} are followed; write the address where that ends in \`url\``);
  return target;
}

function stopped(words: string): StoppedRedirect {
  return { words, hasMoved: false };
}

/** An address without what may be secret in it: user name, password, and what is in its query (B18). */
function showAddress({ origin, pathname, searchParams }: URL): string {
  const query = [...searchParams].map(([name, value]) => (value === '' ? REDACTED : `${encodeURIComponent(name)}=${REDACTED}`)).join('&');
  const text = `${origin}${pathname}${query === '' ? '' : `?${query}`}`;
  // The mark tells a redactor that text was cut here.
  return text.length > SHOWN_ADDRESS_LENGTH ? `${cutText(text, SHOWN_ADDRESS_LENGTH)}…` : text;
}
