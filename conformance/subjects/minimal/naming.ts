/**
 * Public names (NAMING-001, -002, -006): `server.tool`, or `server.tool.hash` where one of the two had to be changed.
 *
 * Two dots only ever stand in hashed names, so a name that is kept meets no other, and the hash is made of the whole
 * identity. It is a pure function of that, so nothing that comes or goes renames anything.
 */
import { createHash } from 'node:crypto';

/** What every name of this scheme matches, whole. */
export const NAME_PATTERN = '[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+(\\.[a-z0-9]{14})?';
/** Characters of the longest name. */
export const MAX_NAME_LENGTH = 60;

/** Characters that are kept of a server and of a tool in a hashed name: 18 + 1 + 26 + 1 + 14 is 60. */
const SERVER_KEPT = 18;
const TOOL_KEPT = 26;
const HASH_LENGTH = 14;

/** How an identity is called. */
export type PublicName = (server: string, rawName: string) => string;

/** The name of a tool. */
export const publicName: PublicName = (server, rawName) => {
  const plain = `${server}.${rawName}`;
  if (isClean(server) && isClean(rawName) && plain.length <= MAX_NAME_LENGTH) return plain;
  return `${cleaned(server, SERVER_KEPT)}.${cleaned(rawName, TOOL_KEPT)}.${hashOf(server, rawName)}`;
};

function isClean(part: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(part);
}

function cleaned(part: string, most: number): string {
  return part.slice(0, most).replaceAll(/[^A-Za-z0-9_-]/g, '-') || '-';
}

/** Of UTF-16 units, since two names may differ in a lone surrogate, which UTF-8 cannot say. The length keeps the parts apart. */
function hashOf(server: string, rawName: string): string {
  const digest = createHash('sha256').update(Buffer.from(`${server.length}:${server}${rawName}`, 'utf16le')).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-HASH_LENGTH).padStart(HASH_LENGTH, '0');
}
