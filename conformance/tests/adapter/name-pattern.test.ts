import { describe, expect, it } from 'vitest';
import { nameMatcher } from '../../src/adapter/name-pattern.ts';
import { isLegalName, judgeLegality } from '../../src/checks/naming/legality.ts';
import { judgeUniqueness } from '../../src/checks/naming/uniqueness.ts';
import { history, offered } from '../histories/builder.ts';

it.each<[string, string, boolean]>([
  ['[A-Za-z0-9_-]+', 'mcp__a__b', true],
  ['[A-Za-z0-9_-]+', 'mcp__a__b.c', false],
  ['^[A-Z]+$', 'AB', true],
  ['a|ab', 'ab', true],
  ['\\u0061\\d{2}', 'a12', true],
  ['(?<word>\\w+)\\/.', 'ab/c', true],
  ['.', '😀', true],
])('matches a name whole, as JavaScript reads the pattern: %s on %s', (pattern, name, fits) => {
  expect(nameMatcher(pattern)(name)).toBe(fits);
});

/** Many tools, each with a name of its own. */
const TOOLS = 40_000;
const names = Array.from({ length: TOOLS }, (_, at) => `server_with_a_name_tool_${at}`);

describe('what a judge does about very many tools', () => {
  /** Of this process, whatever else the machine does. Quadratic work on so many takes half a minute, linear work a few seconds. */
  const CPU_LIMIT_MS = 15_000;

  it('with a pattern that makes other engines try again and again', () => {
    const own = { scheme: 'own', pattern: '^([A-Za-z0-9_-]+)+!$', maxLength: 64, qualified: true } as const;
    expect(isLegalName('a'.repeat(60), own)).toBe(false);
    expect(isLegalName(`${'a'.repeat(60)}!`, own)).toBe(true);
    const seen = history({ names: own }).registry(names.map((name) => offered(`${name}!`))).named('many').history;
    expect(judgeLegality(seen)).toMatchObject({ verdict: 'inconclusive' });
  });

  it('with each of them called', { timeout: 120_000 }, () => {
    const told = history().step('open', ['many']).registry(names.map((name) => offered(name)));
    for (const name of names) told.call(name, 'many', name);
    const seen = told.named('many').history;
    const before = process.cpuUsage();
    expect(judgeUniqueness(seen)).toMatchObject({ verdict: 'pass' });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(CPU_LIMIT_MS);
  });
});
