import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assert, constantFrom, oneof, property, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicNamePrefix, publicToolName } from '../src/naming.ts';

interface NameVector {
  readonly serverName: string;
  readonly rawName: string;
  readonly publicName: string;
}

const vectorFile = fileURLToPath(new URL('../../snapshots/public-names.json', import.meta.url));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is ours
const vectors = JSON.parse(readFileSync(vectorFile, 'utf8')) as NameVector[];

const serverNames = stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
const rawNames = oneof(
  stringMatching(/^[A-Za-z0-9_-]{0,70}$/),
  string({ unit: 'binary', maxLength: 90 }),
  string({ unit: 'grapheme', maxLength: 40 }),
  constantFrom('', '__proto__', 'constructor', '\u0000', '\uD800', '工具', '😀', 'a.b', 'a b'),
);

describe('publicToolName', () => {
  it.each(vectors)('names $serverName / $rawName as the shared vectors say', ({ serverName, rawName, publicName }) => {
    expect(publicToolName(serverName, rawName)).toBe(publicName);
  });

  it('is legal and begins with the server, whatever a server lists (S14, S17)', () => {
    assert(
      property(serverNames, rawNames, (serverName, rawName) => {
        const name = publicToolName(serverName, rawName);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(name.startsWith(publicNamePrefix(serverName))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is verbatim exactly where that is legal, and hashed everywhere else (S15, S16)', () => {
    assert(
      property(serverNames, rawNames, (serverName, rawName) => {
        const verbatim = `mcp__${serverName}__${rawName}`;
        const name = publicToolName(serverName, rawName);
        if (/^[A-Za-z0-9_-]{1,64}$/.test(verbatim)) {
          expect(name).toBe(verbatim);
          return;
        }
        const hash = createHash('sha256').update(Buffer.from(`${serverName}\0${rawName}`, 'utf8')).digest('hex').slice(0, 12);
        const cleaned = Array.from({ length: verbatim.length }, (_, index) => verbatim.charAt(index).replace(/[^A-Za-z0-9_-]/, '_')).join('');
        expect(name).toBe(`${cleaned.slice(0, 51)}_${hash}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
