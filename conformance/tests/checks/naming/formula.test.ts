import { readFileSync } from 'node:fs';
import { publicToolName } from 'cordis-plugin-mcp-bridge/naming';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileNames } from '../../../src/checks/arbitraries/names.ts';
import { isVerbatim, schemeName } from '../../../src/checks/naming/formula.ts';
import { nameVectors } from '../../../src/checks/vectors/public-names.ts';

describe("the suite's own formula of public names", () => {
  it.each(nameVectors.map((one) => [one.serverName, one.rawName, one.publicName] as const))('gives %s, %j the name %s', (server, rawName, publicName) => {
    expect(schemeName(server, rawName)).toBe(publicName);
  });

  it('has the vectors that the repository pins', () => {
    const pinned: unknown = JSON.parse(readFileSync(new URL('../../../../snapshots/public-names.json', import.meta.url), 'utf8'));
    expect(nameVectors).toEqual(pinned);
  });

  it('agrees with the reference on hostile names, though written apart', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/), hostileNames, (server, names) => {
        for (const name of names) expect(schemeName(server, name)).toBe(publicToolName(server, name));
      }),
    );
  });

  it('is verbatim up to 64 characters and not beyond', () => {
    expect(isVerbatim('s', 'x'.repeat(56))).toBe(true);
    expect(isVerbatim('s', 'x'.repeat(57))).toBe(false);
    expect(isVerbatim('s', 'a.b')).toBe(false);
  });
});
