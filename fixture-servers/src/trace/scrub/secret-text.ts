/** Secrets in running text, by pattern. Every expression here takes time in proportion to the text (no nested or overlapping repeats). */
import { isPlaceholder, looksSecret, splitAtPlaceholders, type SecretKind } from './placeholders.ts';
import type { SecretKeys } from './secret-keys.ts';

/** Says what stands in the place of a secret. `named`: a name gave it away, not its looks. */
export type Replace = (kind: SecretKind, secret: string, named: boolean) => string;

/** Matches of a pattern of the user: places in the text, in order, not overlapping. */
export type Matcher = (text: string) => readonly { readonly from: number; readonly to: number }[];

/** What is looked for beside the built-in patterns. */
export interface TextRules {
  readonly keys: SecretKeys;
  readonly patterns: readonly Matcher[];
  readonly known: (text: string) => string;
}

/** Each round replaces something; text that still gives way after so many is left as it is. */
const MAX_ROUNDS = 8;

/** Values that say that there is no secret. */
const NOTHING: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined', 'none', 'yes', 'no', '0', '1']);
const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'basic', 'digest', 'token', 'apikey', 'negotiate', 'dpop', 'hmac']);

/** What begins like the keys of well-known services. */
const PREFIXED = new RegExp(
  '(?<![\\w-])(?:' + [
    'sk-[\\w-]{16,}', '(?:sk|rk|pk)_(?:live|test)_\\w{10,}', 'gh[pousr]_\\w{20,}', 'github_pat_\\w{20,}', 'glpat-[\\w-]{16,}',
    'xox[a-z]-[\\w-]{10,}', 'xapp-[\\w-]{10,}', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])', 'AIza[\\w-]{30,}', 'ya29\\.[\\w-]{10,}', 'hf_\\w{20,}', 'npm_\\w{20,}',
    'pypi-[\\w-]{20,}', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', 'dop_v1_\\w{20,}', 'shpat_\\w{20,}', 'lin_api_\\w{20,}', 'ntn_\\w{20,}',
  ].join('|') + ')', 'g');
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g;
const SCHEME = /(?<![\w-])(Bearer|Basic|Token|DPoP) {1,4}([\w.~+/-]{8,}={0,2})/gi;
const URL_PASSWORD = /:\/\/([^\s/?#@:"'<>\\]{0,256}):([^\s/?#@"'<>\\]{1,512})@/g;
const URL_USER = /:\/\/([^\s/?#@:"'<>\\]{16,512})@/g;
const ASSIGNED = /(?<![\w.-])([A-Za-z_-][\w.-]{0,127})=("[^"\n]{1,4096}"|'[^'\n]{1,4096}'|[^\s&;,"'<>()[\]{}|\\]{1,4096})/g;
const QUOTED = /(\\{0,7}["'])([A-Za-z_][\w.-]{0,127})\1(\s{0,8}:\s{0,8}\\{0,7}["'])([^"'\\\n]{1,4096})/g;
const COLON = /(?<![\w.-])([A-Za-z_][\w.-]{0,127})(:[ \t]{1,8})([^\s,;"'<>()[\]{}]{1,4096})/g;
const FLAG = /(?<![\w-])--([A-Za-z][\w-]{0,64})([ \t])([^\s"'-][^\s"']{3,4096})/g;
const PEM_BEGIN = '-----BEGIN ';
const PEM_END = '-----END ';
const PEM_TAIL_CHARS = 64;

/** The text without its secrets. Doing it twice changes nothing. */
export function scrubText(text: string, rules: TextRules, replace: Replace): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = once(current, rules, replace);
    if (next === current) return current;
    current = next;
  }
  return current;
}

function once(text: string, { keys, patterns, known }: TextRules, replace: Replace): string {
  const secret = (kind: SecretKind, value: string, named: boolean): string => (isPlaceholder(value) ? value : replace(kind, value, named));
  const ofValue = (kind: SecretKind, value: string): string => {
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const bare = quote === '' ? value : value.slice(1, -1);
    return NOTHING.has(bare.toLowerCase()) || SCHEMES.has(bare.toLowerCase()) ? value : `${quote}${secret(kind, bare, true)}${quote}`;
  };

  let out = outside(text, known);
  out = outside(out, (part) => scrubPem(part, secret));
  out = out.replace(SCHEME, (whole, scheme: string, value: string) =>
    looksLikeCredential(value) ? whole.slice(0, whole.length - value.length) + secret(scheme.toLowerCase() === 'bearer' ? 'bearer' : 'authorization', value, true) : whole);
  out = out.replace(URL_PASSWORD, (_whole, user: string, password: string) => `://${user}:${secret('url', password, true)}@`);
  out = out.replace(URL_USER, (_whole, user: string) => `://${secret('url', user, true)}@`);
  out = out.replace(ASSIGNED, (whole, key: string, value: string) => {
    const kind = keys(key);
    return kind === undefined ? whole : `${key}=${ofValue(kind, value)}`;
  });
  out = out.replace(QUOTED, (whole, quote: string, key: string, between: string, value: string) => {
    const kind = keys(key);
    return kind === undefined ? whole : `${quote}${key}${quote}${between}${ofValue(kind, value)}`;
  });
  out = out.replace(COLON, (whole, key: string, between: string, value: string) => {
    const kind = keys(key);
    // In prose a word follows a colon: `token: required`.
    return kind === undefined || !looksSecret(value) || isPlaceholder(value) ? whole : `${key}${between}${ofValue(kind, value)}`;
  });
  out = out.replace(FLAG, (whole, key: string, between: string, value: string) => {
    const kind = keys(key);
    return kind === undefined || !looksSecret(value) ? whole : `--${key}${between}${ofValue(kind, value)}`;
  });
  out = outside(out, (part) => part.replace(JWT, (value) => secret('jwt', value, false)).replace(PREFIXED, (value) => secret('key', value, false)));
  for (const matcher of patterns) out = outside(out, (part) => replaceMatches(part, matcher, secret));
  return out;
}

function outside(text: string, change: (part: string) => string): string {
  return splitAtPlaceholders(text).map((part, index) => (index % 2 === 0 && part !== '' ? change(part) : part)).join('');
}

/** `Bearer authentication` is prose. */
function looksLikeCredential(value: string): boolean {
  return value.length >= 20 || /\d/.test(value);
}

function replaceMatches(text: string, matcher: Matcher, secret: Replace): string {
  let out = '';
  let at = 0;
  for (const { from, to } of matcher(text)) {
    if (to <= from) continue;
    out += text.slice(at, from) + secret('pattern', text.slice(from, to), false);
    at = to;
  }
  return out + text.slice(at);
}

/** Private keys in their armour; what begins and never ends is removed to the end of the text. */
function scrubPem(text: string, secret: Replace): string {
  let out = '';
  let at = 0;
  for (let begin = text.indexOf(PEM_BEGIN); begin !== -1; begin = text.indexOf(PEM_BEGIN, at)) {
    const body = text.indexOf('-----', begin + PEM_BEGIN.length);
    const label = body === -1 || body - begin > PEM_TAIL_CHARS ? '' : text.slice(begin, body);
    if (!label.endsWith('PRIVATE KEY')) {
      out += text.slice(at, begin + PEM_BEGIN.length);
      at = begin + PEM_BEGIN.length;
      continue;
    }
    const end = text.indexOf(PEM_END, body);
    const tail = end === -1 ? text.length : end;
    const content = text.slice(body + 5, tail);
    out += text.slice(at, body + 5) + (content.trim() === '' ? content : secret('pem', content, true));
    at = tail;
  }
  return out + text.slice(at);
}
