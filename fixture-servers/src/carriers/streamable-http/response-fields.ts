/** Header fields of responses. */

/** Statuses whose responses have no body, and so no length (RFC 9110). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** The fields of a response with what the script leaves to us: the type and the length of its body. */
export function completed(status: number, fields: Record<string, string>, bytes: number): Record<string, string> {
  const typed = bytes === 0 || 'content-type' in fields ? fields : { 'content-type': 'text/plain; charset=utf-8', ...fields };
  const isSized = BODILESS.has(status) || 'content-length' in typed || 'transfer-encoding' in typed;
  return isSized ? typed : { ...typed, 'content-length': String(bytes) };
}

/** Header names are the same in any case; ours are written in lower case. */
export function lowerCased(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
