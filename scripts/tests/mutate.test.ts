import { describe, expect, it } from 'vitest';
import { quickFirst, type LastRun } from '../mutate/quick-first.ts';
import { explain, filesToMutate } from '../mutate/survivors.mjs';

const file = 'bridge/src/a.ts';
const source = ['const x = 1;', '  return isOpen && x > 0;', ''].join('\n');
const place = { start: { line: 2, column: 10 }, end: { line: 2, column: 16 } };
const mutant = { mutatorName: 'ConditionalExpression', replacement: 'true', status: 'Survived', location: place };
const explanation = { file, text: 'isOpen', mutator: 'ConditionalExpression', replacement: 'true', reason: 'a closed one has no x' };

describe('what mutation testing leaves', () => {
  it('is unexplained when nobody explained it', () => {
    const { unexplained, killed, tried, untried } = explain(
      { files: { [file]: { source, mutants: [mutant, { ...mutant, status: 'Killed' }, { ...mutant, status: 'NoCoverage' }, { ...mutant, status: 'Ignored' }] } } }, [], [file],
    );
    expect({ tried, killed, untried }).toEqual({ tried: 3, killed: 1, untried: 1 });
    expect(unexplained).toHaveLength(2);
    expect(unexplained[0]).toEqual({ file, line: 2, text: 'isOpen', mutator: 'ConditionalExpression', replacement: 'true' });
  });

  it('is explained by the code that was changed, wherever it has moved', () => {
    const moved = { files: { [file]: { source: `\n${source}`, mutants: [{ ...mutant, location: { start: { line: 3, column: 10 }, end: { line: 3, column: 16 } } }] } } };
    expect(explain(moved, [explanation], [file])).toMatchObject({ explained: 1, unexplained: [], stale: [] });
  });

  it('is named by the whole line where a block was emptied, since a brace stands everywhere', () => {
    const lines = ['export function read(): number {', '  return 1;', '}', ''];
    const block = { mutatorName: 'BlockStatement', replacement: '{}', status: 'Survived', location: { start: { line: 1, column: 32 }, end: { line: 3, column: 2 } } };
    expect(explain({ files: { [file]: { source: lines.join('\n'), mutants: [block] } } }, [], [file]).unexplained[0]?.text).toBe('export function read(): number {');
  });

  it('makes an explanation stale when it survives no more, unless its file was not tried', () => {
    const report = { files: { [file]: { source, mutants: [{ ...mutant, status: 'Timeout' }] } } };
    expect(explain(report, [explanation], [file]).stale).toEqual([explanation]);
    expect(explain(report, [explanation], []).stale).toEqual([]);
  });

  it('is looked for in the files that words name', () => {
    const folder = new URL('../../bridge/src', import.meta.url).pathname;
    expect(filesToMutate(folder, ['naming'])).toEqual(['bridge/src/naming.ts']);
    expect(filesToMutate(folder, []).length).toBeGreaterThan(50);
    expect(filesToMutate(folder, ['no-such-file'])).toEqual([]);
  });
});

/** Names of files of tests, in the order in which they would be asked. */
const order = (known: Readonly<Record<string, LastRun>>, names: readonly string[]): string[] =>
  quickFirst(names.map((name) => ({ name, moduleId: `/clone/bridge/tests/${name}` })), ({ name }) => known[name]).map(({ name }) => name);

describe('the tests that are asked about a change', () => {
  it('begin with the one that noticed the change before, then the quickest', () => {
    const known = { 'slow.test.ts': { failed: false, duration: 900 }, 'quick.test.ts': { failed: false, duration: 5 }, 'host/noticed.test.ts': { failed: true, duration: 2_000 } };
    expect(order(known, ['slow.test.ts', 'quick.test.ts', 'host/noticed.test.ts'])).toEqual(['host/noticed.test.ts', 'quick.test.ts', 'slow.test.ts']);
  });

  it('take what starts servers last while nobody knows how long it takes', () => {
    const known = { 'slow.test.ts': { failed: false, duration: 900 } };
    expect(order(known, ['http/a.test.ts', 'slow.test.ts', 'client-session-end.test.ts', 'naming.test.ts'])).toEqual(['naming.test.ts', 'slow.test.ts', 'http/a.test.ts', 'client-session-end.test.ts']);
  });
});
