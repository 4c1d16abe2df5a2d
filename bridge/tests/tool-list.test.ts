import { describe, expect, it } from 'vitest';
import { publicToolName } from '../src/naming.ts';
import type { ToolIdentity } from '../src/server-directory.ts';
import { checkList, quoteName } from '../src/tool-list.ts';
import { listedTool } from './helpers-logic/scripted-session.ts';

function check(listed: readonly unknown[], claims: readonly (readonly [string, ToolIdentity])[] = [], serverName = 'srv'): ReturnType<typeof checkList> {
  return checkList({ serverName, listed, publicToolName, claims: new Map(claims) });
}

describe('checkList', () => {
  it('names every tool in listing order and hands on the listed object itself (S15, S25)', () => {
    const listed = [listedTool('b'), listedTool('a.b'), listedTool('__proto__'), listedTool('')];
    const { tools, skipped } = check(listed);
    expect(tools.map((tool) => tool.rawName)).toEqual(['b', 'a.b', '__proto__', '']);
    expect(tools.map((tool) => tool.raw === listed[tools.indexOf(tool)])).toEqual([true, true, true, true]);
    expect(skipped).toEqual([]);
  });

  it('refuses a list with one name twice (S26)', () => {
    expect(() => check([listedTool('a'), listedTool('b'), listedTool('a')])).toThrow(expect.objectContaining({ code: 'list-invalid', message: expect.stringContaining('lists the tool "a" twice') as unknown }));
  });

  it('refuses two names of one server with one public name, without calling it one tool twice (S18, S26)', () => {
    // Lone surrogates have no UTF-8 of their own, so these two identities hash alike.
    const listed = [listedTool('x\uD800'), listedTool('x\uD801')];
    const attempt = (): unknown => check(listed);
    expect(attempt).toThrow(expect.objectContaining({ code: 'list-invalid', message: expect.stringContaining('would stand for two tools') as unknown }));
    expect(attempt).toThrow(/; rename one of the two tools at the server$/);
    expect(attempt).not.toThrow(/lists the tool/);
  });

  it('refuses a public name that a live tool of another server has, and names both and the remedy (S18)', () => {
    const claims = [['mcp__a__b__c', { serverName: 'a', rawName: 'b__c' }]] as const;
    let message = '';
    try {
      check([listedTool('c')], claims, 'a__b');
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('"b__c" of server "a"');
    expect(message).toContain('"c" of server "a__b"');
    expect(message).toContain('change the serverName');
  });

  it('does not mind the names its own server has now', () => {
    expect(check([listedTool('a')], [['mcp__srv__a', { serverName: 'srv', rawName: 'a' }]]).tools).toHaveLength(1);
  });

  it('leaves out what is no tool, says so, and keeps the siblings (S29, B13)', () => {
    const { tools, skipped } = check([listedTool('a'), null, 'text', { name: 5 }, [], listedTool('b')]);
    expect(tools.map((tool) => tool.rawName)).toEqual(['a', 'b']);
    expect(skipped).toEqual([
      'entry 1 of the tool list is no object and is left out',
      'entry 2 of the tool list is no object and is left out',
      'entry 3 of the tool list has no text "name" and is left out',
      'entry 4 of the tool list is no object and is left out',
    ]);
  });
});

it('quotes a listed name bounded and with odd characters escaped (B15)', () => {
  expect(quoteName('a"b\n')).toBe('"a\\"b\\n"');
  expect(quoteName('n'.repeat(120))).toBe(`"${'n'.repeat(120)}"`);
  expect(quoteName('n'.repeat(5_000))).toBe(`"${'n'.repeat(120)}…"`);
});
