/** Removes configured secrets from text that a person or a log will see (B18). */
import { StringDecoder } from 'node:string_decoder';
import { isSecretName } from '../child-env.ts';
import { wellFormed } from '../model-text.ts';

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Shortest value that is treated as a secret when its name says so; below this every text would be full of marks. */
const MIN_SECRET_LENGTH = 3;
/** Shortest value that is treated as a secret under any other name, so that `debug` or `true` stays readable. */
const MIN_VALUE_LENGTH = 8;

/** Shortest beginning of a secret that is removed where text was cut, in UTF-16 units. */
const MIN_CUT_LENGTH = 4;
/** Stands where text was cut. */
const CUT_MARK = '…';

/** Names of HTTP headers whose value is a secret beside those that {@link isSecretName} knows. */
const SECRET_HEADER = /^(proxy-)?authorization$|^cookie$/i;

/** A function that replaces secrets, and the length of the longest one. */
export interface Redactor {
  (text: string): string;
  /** UTF-16 units; text that was cut may hold a piece of a secret, shorter than this, at its end. */
  readonly longest: number;
}

/**
 * Replaces the values of configured variables and headers; also each line of a long value, a token without its scheme,
 * each of them as JSON, base64 and URLs write it, and what is left of one right before the mark of a cut.
 */
export function createRedactor(...configured: readonly Readonly<Record<string, string>>[]): Redactor {
  const secrets = new Set<string>();
  for (const record of configured) {
    for (const [name, value] of Object.entries(record)) {
      const secretName = saysSecret(name);
      const shortest = secretName ? MIN_SECRET_LENGTH : MIN_VALUE_LENGTH;
      const withoutScheme = secretName ? /^[A-Za-z]+ +(\S.*)/s.exec(value)?.[1] : undefined;
      for (const part of [value, ...value.split(/\r?\n/), withoutScheme]) {
        if (part === undefined || part.trim().length < shortest) continue;
        secrets.add(part);
        if (part.length >= MIN_VALUE_LENGTH) for (const form of encodedForms(part)) secrets.add(form);
      }
    }
  }
  // Longest first, so that a secret that contains another one disappears whole.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const redact = (text: string): string => {
    let result = text;
    for (const secret of ordered) result = result.replaceAll(secret, REDACTED);
    return withoutCutSecrets(result, ordered);
  };
  return Object.assign(redact, { longest: ordered[0]?.length ?? 0 });
}

function saysSecret(name: string): boolean {
  return isSecretName(name) || SECRET_HEADER.test(name);
}

/** The entries whose name says that the value is a secret. */
export function secretEntries(configured: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(configured).filter(([name]) => saysSecret(name)));
}

/** Shortest part of a path that is treated as a secret, UTF-16 units: tokens are longer than words. */
const MIN_PATH_SECRET_LENGTH = 16;

/** What may be secret in a server's address: the values of its query, and long parts of its path, as some services put a token there. */
export function secretsInUrl(address: string): Readonly<Record<string, string>> {
  if (!URL.canParse(address)) return {};
  const url = new URL(address);
  const parts = url.pathname.split('/').filter((part) => part.length >= MIN_PATH_SECRET_LENGTH);
  return Object.fromEntries([...url.searchParams, ...parts.map((part, index) => [`path ${index}`, part] as const)]);
}

/** How a peer may write a secret that it sends back. */
function encodedForms(secret: string): readonly string[] {
  const inUrls = Buffer.from(secret).toString('base64url');
  return [JSON.stringify(secret).slice(1, -1), inUrls, inUrls.replaceAll('-', '+').replaceAll('_', '/'), encodeURIComponent(wellFormed(secret))];
}

/** Removes the beginning of a secret from before each mark of a cut. */
function withoutCutSecrets(text: string, secrets: readonly string[]): string {
  const pieces = text.split(CUT_MARK);
  return pieces.map((piece, index) => (index === pieces.length - 1 ? piece : withoutCutSecret(piece, secrets))).join(CUT_MARK);
}

function withoutCutSecret(piece: string, secrets: readonly string[]): string {
  let from = piece.length;
  for (const secret of secrets) {
    const start = secret.slice(0, MIN_CUT_LENGTH);
    let at = piece.indexOf(start, piece.length - secret.length);
    while (at !== -1 && !secret.startsWith(piece.slice(at))) at = piece.indexOf(start, at + 1);
    if (at !== -1) from = Math.min(from, at);
  }
  return from === piece.length ? piece : `${piece.slice(0, from)}${REDACTED}`;
}

/** How many bytes of a line {@link showLine} needs: a secret that begins before the cut has to be seen whole. */
export function bytesToShow(maxBytes: number, redact: Redactor): number {
  // UTF-8 takes at most three bytes for a UTF-16 unit.
  return maxBytes + 3 * redact.longest;
}

/**
 * A line from a server as a person may see it: without secrets, at most `maxBytes` long, a mark where it was cut.
 * @param wasCut whether the line goes on after these bytes.
 */
export function showLine(line: Buffer, wasCut: boolean, maxBytes: number, redact: Redactor): string {
  let text = redact(line.toString().trimEnd());
  // The end of a cut line may be the first part of a secret that the redactor could not see whole.
  if (wasCut) text = text.slice(0, Math.max(0, text.length - redact.longest));
  if (!wasCut && Buffer.byteLength(text) <= maxBytes) return text;
  // The decoder keeps half a character to itself; a pattern for it takes quadratic time where there are many elsewhere.
  return `${new StringDecoder().write(Buffer.from(text).subarray(0, maxBytes))}…`;
}
