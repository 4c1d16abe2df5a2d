/** The address of a server as a connection uses it. */
import { BridgeError } from '../errors.ts';

/** @throws BridgeError `connect-failed` for what is no http or https URL; it is not repeated (B18) */
export function parseUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // The text may hold credentials: it is not repeated.
  }
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new BridgeError('connect-failed', '`url` is no http or https URL; correct it');
  }
  return url;
}
