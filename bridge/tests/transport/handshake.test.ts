/** What of the answer to `initialize` is taken, and what is refused in which words (B13, B22). */
import { expect, it } from 'vitest';
import { announcesListChanges, readInitializeResult } from '../../src/transport/handshake.ts';

/** Why an answer with this revision is refused. */
function refusal(protocolVersion: string): string {
  try {
    readInitializeResult({ protocolVersion });
  } catch (error) {
    return String(error);
  }
  return 'it is taken';
}

it('says that what gives no revision is no MCP server', () => {
  expect(() => readInitializeResult({})).toThrow('the answer to initialize has no protocolVersion; it is no MCP server');
});

it('names an unknown revision, up to forty characters of it, and those that it knows', () => {
  expect(refusal('1999-01-01')).toMatch(/answered with protocol revision "1999-01-01"; asked for was 2025-11-25, known are 2025-11-25, 2025-06-18, 2025-03-26, /);
  expect(refusal('x'.repeat(40))).toContain(`revision "${'x'.repeat(40)}";`);
  expect(refusal('x'.repeat(41))).toContain(`revision "${'x'.repeat(40)}…";`);
});

it('takes odd or missing parts for empty ones', () => {
  const empty = { protocolVersion: '2025-06-18', name: '', version: '', capabilities: {} };
  expect(readInitializeResult({ protocolVersion: '2025-06-18' })).toEqual(empty);
  expect(readInitializeResult({ protocolVersion: '2025-06-18', serverInfo: { name: 1, version: null }, capabilities: 'all' })).toEqual(empty);
  const told = { name: 'n', version: '1', capabilities: { tools: {} } };
  expect(readInitializeResult({ protocolVersion: '2025-06-18', serverInfo: { name: 'n', version: '1' }, capabilities: { tools: {} } })).toEqual({ ...empty, ...told });
});

it.each<readonly [unknown, boolean]>([
  [{ listChanged: true }, true], [{ listChanged: false }, false], [{ listChanged: 'yes' }, false], [{}, false], [undefined, false], [null, false],
])('tells by %j whether a server tells of list changes: %s', (tools, tells) => {
  expect(announcesListChanges({ tools })).toBe(tells);
});
