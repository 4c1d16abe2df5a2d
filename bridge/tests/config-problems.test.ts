import { describe, expect, it } from 'vitest';
import { ConfigProblems, describeKind, nearestWord, quoteWord } from '../src/config-problems.ts';

/** The lines in which this many problems are told. */
function linesOf(count: number): readonly string[] {
  const problems = new ConfigProblems();
  for (let n = 1; n <= count; n += 1) problems.add(`config.a${n}`, 'is odd', 'mend it');
  try {
    problems.throwIfAny();
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

it('tells ten problems and counts the rest (S09)', () => {
  expect(linesOf(0)).toEqual([]);
  expect(linesOf(10)).toHaveLength(10);
  expect(linesOf(10).at(-1)).toBe('mcp-bridge config.a10: is odd; mend it');
  expect(linesOf(12)).toHaveLength(11);
  expect(linesOf(12).at(-1)).toBe('and 2 more');
});

it.each([
  [null, 'null'], [undefined, 'nothing'], [[], 'a list'], [5, 'the number 5'], [Number.NaN, 'NaN'], [true, 'true'], ['', 'empty text'], ['x', 'text'], [{}, 'a mapping'],
  [() => undefined, 'a function'], [Symbol('x'), 'a symbol'],
])('says what kind of thing %o is: %s (B18)', (value, kind) => {
  expect(describeKind(value)).toBe(kind);
});

it('quotes sixty characters of a word whole, and no more', () => {
  expect(quoteWord('w'.repeat(60))).toBe(`"${'w'.repeat(60)}"`);
  expect(quoteWord('w'.repeat(61))).toBe(`"${'w'.repeat(60)}…"`);
});

describe('nearestWord', () => {
  it('guesses nothing for a long word that is like none of them', () => {
    expect(nearestWord('x'.repeat(400), ['maxAttempts', 'enabled'])).toBeUndefined();
  });

  it('looks at the beginning of a long word alone, so that a guess costs little (B01)', () => {
    const known = 'k'.repeat(60);
    expect(nearestWord(`${known}${'z'.repeat(100)}`, [known])).toBe(known);
  });
});
