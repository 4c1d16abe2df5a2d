import { createHash } from 'node:crypto';

/** How many different secrets are told apart; those beyond share one placeholder. */
const MAX_DISTINCT = 100_000;
/** How many secrets found under their names are looked for everywhere else too. */
const MAX_KNOWN = 200;
/** A shorter text may be an ordinary word, which must not vanish everywhere. */
const MIN_KNOWN_CHARS = 8;

/** What kind of secret it was, from the name or pattern that gave it away. */
export type SecretKind =
  | 'authorization' | 'bearer' | 'cookie' | 'jwt' | 'key' | 'password' | 'pattern' | 'pem' | 'secret' | 'session' | 'token' | 'url' | 'known';

/** What stands where a secret stood. */
const PLACEHOLDER = /\[scrubbed-[a-z]{1,16}-\d{1,9}\]/;
const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`);
const SPLIT = new RegExp(`(${PLACEHOLDER.source})`);
const STICKY = new RegExp(PLACEHOLDER.source, 'y');
const NUMBER = /\[scrubbed-[a-z]{1,16}-(\d{1,9})\]/g;

/** Whether the text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return WHOLE.test(text);
}

/** The length of the placeholder that begins at this place; 0 if none does. */
export function placeholderAt(text: string, at: number): number {
  STICKY.lastIndex = at;
  return STICKY.exec(text)?.[0].length ?? 0;
}

/** The text in parts: at even places what is no placeholder, at odd ones placeholders. */
export function splitAtPlaceholders(text: string): string[] {
  return text.split(SPLIT);
}

/** The highest number a placeholder of this text has; 0 without any. */
export function highestPlaceholder(text: string): number {
  let highest = 0;
  for (const match of text.matchAll(NUMBER)) highest = Math.max(highest, Number(match[1]));
  return highest;
}

/** Gives equal secrets equal placeholders. Keeps hashes, so that its memory holds none. */
export interface Placeholders {
  of(kind: SecretKind, secret: string): string;
}

/** Numbers placeholders from `after` + 1, so that a trace that was scrubbed before keeps its own. */
export function createPlaceholders(after: number): Placeholders {
  const given = new Map<string, string>();
  let number = after;
  return {
    of(kind, secret) {
      const hash = createHash('sha256').update(secret).digest('base64');
      const known = given.get(hash);
      if (known !== undefined) return known;
      if (given.size >= MAX_DISTINCT) return `[scrubbed-${kind}-0]`;
      number += 1;
      const placeholder = `[scrubbed-${kind}-${number}]`;
      given.set(hash, placeholder);
      return placeholder;
    },
  };
}

/** Secrets that were found under a telling name, to be found again where no name tells: in an echo, a log line, a URL. */
export interface KnownSecrets {
  add(secret: string): void;
  /** Replaces every occurrence. */
  replace(text: string, replacement: (secret: string) => string): string;
}

/** Makes an empty collection. Only what looks like a secret is taken, so that ordinary words stay. */
export function createKnownSecrets(): KnownSecrets {
  const known = new Set<string>();
  let longestFirst: string[] | undefined;
  return {
    add(secret) {
      if (known.size >= MAX_KNOWN || secret.length < MIN_KNOWN_CHARS || !looksSecret(secret)) return;
      known.add(secret);
      longestFirst = undefined;
    },
    replace(text, replacement) {
      longestFirst ??= [...known].sort((a, b) => b.length - a.length);
      let out = text;
      for (const secret of longestFirst) {
        if (out.includes(secret)) out = out.split(secret).join(replacement(secret));
      }
      return out;
    },
  };
}

/** Whether it is more than a word: it has digits, both cases or signs, or is long. */
export function looksSecret(text: string): boolean {
  return text.length >= 24 || !/^[A-Z]?[a-z]*$/.test(text);
}
