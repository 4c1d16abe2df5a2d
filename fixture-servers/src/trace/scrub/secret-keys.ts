/** Which names of headers, members and variables hold secrets. */
import { splitAtPlaceholders, type SecretKind } from './placeholders.ts';

/** Words that say what a member holds, wherever they stand in its name. */
const TELLING: ReadonlyMap<string, SecretKind> = new Map([
  ['authorization', 'authorization'], ['password', 'password'], ['passwd', 'password'], ['pwd', 'password'], ['passphrase', 'password'],
  ['passcode', 'password'], ['secret', 'secret'], ['secrets', 'secret'], ['credential', 'secret'], ['credentials', 'secret'],
  ['cookie', 'cookie'], ['cookies', 'cookie'], ['jwt', 'jwt'], ['bearer', 'bearer'], ['apikey', 'key'], ['privatekey', 'key'],
  ['accesskey', 'key'], ['secretkey', 'key'], ['authtoken', 'token'], ['accesstoken', 'token'], ['refreshtoken', 'token'], ['sessionid', 'session'],
]);
/** Last words that make it a statement about a secret, and not one. */
const ABOUT: ReadonlySet<string> = new Set([
  'url', 'uri', 'endpoint', 'server', 'servers', 'type', 'types', 'header', 'headers', 'method', 'methods', 'name', 'names', 'required', 'enabled',
  'supported', 'count', 'limit', 'expires', 'expiry', 'expiration', 'in', 'at', 'field', 'length', 'prefix', 'hint', 'description', 'schema', 'path', 'file',
]);
/** Before `token`: it is a place in a list or a conversation, and replay needs it. */
const HARMLESS_TOKENS: ReadonlySet<string> = new Set([
  'progress', 'next', 'page', 'continuation', 'sync', 'start', 'end', 'cancel', 'cancellation', 'pad', 'eos', 'bos', 'stop', 'unknown', 'mask',
]);
/** Before `key`: it opens something. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'api', 'access', 'secret', 'private', 'signing', 'encryption', 'master', 'account', 'auth', 'subscription', 'service', 'license', 'ssh', 'app', 'client',
]);
/** Before `tokens`: they are secrets, and not a count. */
const PLURAL_TOKENS: ReadonlySet<string> = new Set(['access', 'refresh', 'api', 'auth', 'bearer', 'secret']);

/** Says of a name whether it holds a secret, and of what kind. */
export type SecretKeys = (name: string) => SecretKind | undefined;

/** The built-in names and those of `extra`, which are compared without regard to case and separators. */
export function createSecretKeys(extra: readonly string[] = []): SecretKeys {
  const added = new Set(extra.map((name) => words(name).join('')));
  const answers = new Map<string, SecretKind | undefined>();
  return (name) => {
    if (answers.has(name)) return answers.get(name);
    // What stands in the place of a secret tells nothing of what is beside it.
    const parts = words(splitAtPlaceholders(name).filter((_part, index) => index % 2 === 0).join(' '));
    const kind = added.has(parts.join('')) ? 'key' : kindOf(parts);
    // A bounded memory of names: there are few, and each stands in every message.
    if (answers.size < 10_000 && name.length <= 128) answers.set(name, kind);
    return kind;
  };
}

/** `X-Api-Key`, `apiKey` and `API_KEY` are the same three or two words. Names beyond 128 characters are none. */
function words(name: string): string[] {
  if (name.length > 128) return [];
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== '');
}

function kindOf(parts: readonly string[]): SecretKind | undefined {
  const last = parts.at(-1) ?? '';
  const before = parts.at(-2) ?? '';
  if (ABOUT.has(last)) return undefined;
  for (const part of parts) {
    const kind = TELLING.get(part);
    if (kind !== undefined) return kind;
  }
  if (last === 'token') return HARMLESS_TOKENS.has(before) ? undefined : 'token';
  if (last === 'tokens') return PLURAL_TOKENS.has(before) ? 'token' : undefined;
  if (last === 'key') return SECRET_KEYS.has(before) ? 'key' : undefined;
  if (last === 'auth') return 'authorization';
  if (last === 'pass') return parts.length > 1 ? 'password' : undefined;
  if (last === 'sid' || (last === 'id' && before === 'session')) return 'session';
  return undefined;
}
