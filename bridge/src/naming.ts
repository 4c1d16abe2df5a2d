/**
 * Public names: what the model sees for one tool of one server (S14-S17). Pure, no state, no host.
 * @module
 */
import { createHash } from 'node:crypto';

/** Longest public name, in characters; the function-name contract of the model providers (S14). */
export const PUBLIC_NAME_MAX_LENGTH = 64;

/** Lower-case hex digits of the identity's hash in a name that is not verbatim (S16). */
export const PUBLIC_NAME_HASH_LENGTH = 12;

/** What is kept before `_` and the hash: 64 - 1 - 12, the `mcp__` prefix counted (S16). */
const KEPT_LENGTH = PUBLIC_NAME_MAX_LENGTH - 1 - PUBLIC_NAME_HASH_LENGTH;

/** A `serverName` (S02). */
export const SERVER_NAME_PATTERN = /^[A-Za-z0-9_-]{1,32}$/;

/** One UTF-16 code unit that no public name may hold; without the `u` flag an astral character counts as two. */
const ILLEGAL_CODE_UNIT = /[^A-Za-z0-9_-]/g;

/**
 * What every public name of one server begins with (S17).
 * @example publicNamePrefix('github') // 'mcp__github__'
 */
export function publicNamePrefix(serverName: string): string {
  return `mcp__${serverName}__`;
}

/**
 * The public name of one identity: `mcp__<serverName>__<rawName>` where that is legal, otherwise a cleaned and cut form
 * that ends in a hash of the identity. A pure function of its arguments, so nothing else ever renames a tool (S17, S20).
 *
 * Two identities can still meet in one name, since `a` + `b__c` and `a__b` + `c` spell the same text; the sync that
 * would register the second one refuses it (S18).
 *
 * @param serverName the configured name, `^[A-Za-z0-9_-]{1,32}$`; never the server's own `serverInfo.name` (S23)
 * @param rawName the listed name, any string
 * @returns `^[A-Za-z0-9_-]{1,64}$` for every legal `serverName` (S14)
 * @example publicToolName('fixture', 'admin.reset') // 'mcp__fixture__admin_reset_2d9bb2dfe9aa'
 */
export function publicToolName(serverName: string, rawName: string): string {
  const verbatim = publicNamePrefix(serverName) + rawName;
  const cleaned = verbatim.replace(ILLEGAL_CODE_UNIT, '_');
  if (cleaned === verbatim && verbatim.length <= PUBLIC_NAME_MAX_LENGTH) return verbatim;
  return `${cleaned.slice(0, KEPT_LENGTH)}_${identityHash(serverName, rawName)}`;
}

/** The first hex digits of SHA-256 over the UTF-8 of `serverName`, NUL, `rawName`; lone surrogates count as U+FFFD. */
function identityHash(serverName: string, rawName: string): string {
  return createHash('sha256').update(`${serverName}\0${rawName}`, 'utf8').digest('hex').slice(0, PUBLIC_NAME_HASH_LENGTH);
}
