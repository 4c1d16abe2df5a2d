/** Removes configured secrets from text that a person or a log will see (B18). */
import { isSecretName } from '../child-env.ts';

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Shortest value that is treated as a secret when its name says so; below this every text would be full of marks. */
const MIN_SECRET_LENGTH = 3;
/** Shortest value that is treated as a secret under any other name, so that `debug` or `true` stays readable. */
const MIN_VALUE_LENGTH = 8;

/** Names of HTTP headers whose value is a secret beside those that {@link isSecretName} knows. */
const SECRET_HEADER = /^(proxy-)?authorization$|^cookie$/i;

/** A function that replaces secrets, and the length of the longest one. */
export interface Redactor {
  (text: string): string;
  /** UTF-16 units; text that was cut may hold a piece of a secret, shorter than this, at its end. */
  readonly longest: number;
}

/** Replaces the values of configured variables and headers; also each line of a long value, and a token without its scheme. */
export function createRedactor(...configured: readonly Readonly<Record<string, string>>[]): Redactor {
  const secrets = new Set<string>();
  for (const record of configured) {
    for (const [name, value] of Object.entries(record)) {
      const secretName = isSecretName(name) || SECRET_HEADER.test(name);
      const shortest = secretName ? MIN_SECRET_LENGTH : MIN_VALUE_LENGTH;
      const scheme = /^[A-Za-z]+ +(\S.*)$/s.exec(value)?.[1];
      for (const part of [value, ...value.split(/\r?\n/), ...(secretName && scheme !== undefined ? [scheme] : [])]) {
        if (part.trim().length >= shortest) secrets.add(part);
      }
    }
  }
  // Longest first, so that a secret that contains another one disappears whole.
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const redact = (text: string): string => {
    let result = text;
    for (const secret of ordered) result = result.replaceAll(secret, REDACTED);
    return result;
  };
  return Object.assign(redact, { longest: ordered[0]?.length ?? 0 });
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
  let text = redact(line.toString('utf8').trimEnd());
  // The end of a cut line may be the first part of a secret that the redactor could not see whole.
  if (wasCut) text = text.slice(0, Math.max(0, text.length - redact.longest));
  if (!wasCut && Buffer.byteLength(text) <= maxBytes) return text;
  return `${Buffer.from(text).subarray(0, maxBytes).toString('utf8').replace(/\uFFFD+$/, '')}…`;
}
