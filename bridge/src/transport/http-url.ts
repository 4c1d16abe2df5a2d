/** The address of a server as a connection uses it. */
import { BridgeError } from '../errors.ts';

/** @throws BridgeError `connect-failed` for what is no http or https URL; it may hold credentials and is not repeated (B18) */
export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new BridgeError('connect-failed', '`url` is no http or https URL; correct it');
}
