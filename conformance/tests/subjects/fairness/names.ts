/** How a bridge makes names. */
import { createHash } from 'node:crypto';
import type { SubjectDescription } from '../../../src/adapter/bridge-adapter.ts';
import { liberty, type Liberty } from './vary.ts';

const NAMES = ['naming', 'ISOLATION-002', 'HOST-002'] as const;

const declared = (pattern: string, maxLength: number, qualified: boolean): Pick<SubjectDescription, 'names'> => ({ names: { scheme: 'own', pattern, maxLength, qualified } });

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(Buffer.from(JSON.stringify(parts), 'utf8')).digest('hex').slice(0, 20);
const cleaned = (name: string, most: number): string => name.slice(0, most).replaceAll(/[^A-Za-z0-9_-]/g, '_');

/** A clean name is kept as it is; any other is `t_` and a hash. Two servers with one raw name: the second is refused by name. */
function unqualified(_server: string, rawName: string): string {
  return /^(?!t_)[A-Za-z0-9_-]{1,64}$/.test(rawName) ? rawName : `t_${hash(rawName)}`;
}

/** Numbers that are given to identities whose cleaned names meet, first come first served, and remembered. */
function numbered(): (server: string, rawName: string) => string {
  const owners = new Map<string, string>();
  return (server, rawName) => {
    const base = `${cleaned(server, 30)}__${cleaned(rawName, 28)}`;
    const one = JSON.stringify([server, rawName]);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`;
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, one);
      if (owner === undefined || owner === one) return name;
    }
  };
}

/** A text with names in quotes, as Python writes them. */
function inPython(text: string): string {
  return text.replaceAll(/(?<!\\)\\u00([\da-f]{2})/g, String.raw`\x$1`).replaceAll(/[^\p{ASCII}]/gu, (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return String.raw`\x${code}`;
    return code.length <= 4 ? String.raw`\u${code.padStart(4, '0')}` : String.raw`\U${code.padStart(8, '0')}`;
  });
}

/** Liberties of names. */
export const nameLiberties: readonly Liberty[] = [
  liberty('offers raw names, and refuses one that another server has by name', NAMES, { publicName: unqualified, declares: declared('[A-Za-z0-9_-]+', 64, false) }),
  liberty('offers raw names of its one server', NAMES, { publicName: unqualified, declares: { ...declared('[A-Za-z0-9_-]+', 64, false), servers: 'one' } }),
  liberty('calls everything by a hash', NAMES, { publicName: (...identity) => `tool_${hash(...identity)}`, declares: declared('tool_[0-9a-f]{20}', 25, true) }),
  liberty('numbers names that meet, and remembers the numbers', NAMES, { publicName: numbered(), declares: declared('[A-Za-z0-9_-]+', 64, true) }),
  liberty('cleans names and refuses those that meet, in the quotes of another language', NAMES, {
    publicName: (server, rawName) => `${cleaned(server, 30)}__${cleaned(rawName, 200)}`, declares: declared('[A-Za-z0-9_-]+', 232, true),
  }, (inner) => ({
    onNotification: (listener) => inner.onNotification((told) => listener(told.type === 'log' ? { ...told, message: inPython(told.message) } : told)),
  })),
  liberty('puts the tool before the server, in any alphabet', NAMES, { publicName: (server, rawName) => `${rawName}@${server}`, declares: declared('[^]*@[^]*', 1_000, true) }),
];
