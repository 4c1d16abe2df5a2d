import type { Explained } from './explain.ts';
import type { Action } from './schema.ts';

/** The name of a header field (RFC 9110: a token). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a header's value may hold, as Node takes it: no line ends, nothing beyond Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Header fields that cannot be sent. Broken ones on purpose: `raw` with `to: connection`. */
export function senseOfHeaders(action: Action, path: Explained['path']): Explained[] {
  const at = 'respond' in action ? 'respond' : 'openStream';
  const headers = 'respond' in action ? action.respond.headers : 'openStream' in action ? action.openStream.headers : undefined;
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const place = [...path, at, 'headers', name];
    const hint = 'for broken ones use `raw` with `to: connection`';
    if (!NAME.test(name)) return [{ path: place, message: `is no name of a header field; ${hint}` }];
    return VALUE.test(value) ? [] : [{ path: place, message: `cannot be the value of a header field; ${hint}` }];
  });
}
