import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkTree, cyclesOf, importsOf, judgeImport } from '../check-imports.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const item = (specifier: string, typeOnly = false) => ({ specifier, typeOnly, line: 1 });

describe('import directions', () => {
  it('hold over the whole tree, and the tree is not empty', () => {
    const { findings, files } = checkTree(root);
    expect(findings).toEqual([]);
    expect(files).toBeGreaterThan(50);
  });

  it.each([
    ['fixture-servers/src/a.ts', 'cordis-plugin-mcp-bridge'],
    ['bridge/src/a.ts', 'mcp-fixture-server'],
    ['conformance/src/a.ts', 'cordis-plugin-mcp-bridge/naming'],
    ['conformance/src/a.ts', '../../bridge/src/naming.ts'],
    ['conformance/subjects/reference/a.ts', '../../src/index.ts'],
    ['bridge/src/a.ts', 'cordis'],
    ['bridge/src/a.ts', '@deepseek-ai/dsh-tools'],
    ['elsewhere/a.ts', 'zod'],
  ])('refuse %s importing %s', (file, specifier) => {
    expect(judgeImport(file, item(specifier))).toBeTypeOf('string');
  });

  it.each([
    ['bridge/tests/a.test.ts', 'mcp-fixture-server'],
    ['bridge/tests/a.test.ts', '../src/naming.ts'],
    ['conformance/src/a.ts', 'mcp-fixture-server/trace'],
    ['conformance/subjects/reference/a.ts', 'cordis-plugin-mcp-bridge/internal'],
    ['bridge/src/a.ts', './naming.ts'],
  ])('allow %s importing %s', (file, specifier) => {
    expect(judgeImport(file, item(specifier))).toBeUndefined();
  });

  it('allow the bridge a host in types alone', () => {
    expect(judgeImport('bridge/src/a.ts', item('cordis', true))).toBeUndefined();
  });

  it('see static, re-exported, dynamic and type-only imports', () => {
    const found = importsOf('a.ts', "import a from 'a';\nexport { b } from 'b';\nawait import('c');\nimport type { D } from 'd';\n");
    expect(found).toEqual([
      { specifier: 'a', typeOnly: false, line: 1 },
      { specifier: 'd', typeOnly: true, line: 4 },
      { specifier: 'b', typeOnly: false, line: 2 },
      { specifier: 'c', typeOnly: false, line: 3 },
    ]);
  });

  it('find a cycle', () => {
    expect(cyclesOf(new Map([['a', ['b']], ['b', ['c']], ['c', ['a']]]))).toEqual([['a', 'b', 'c', 'a']]);
    expect(cyclesOf(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toEqual([]);
  });
});
