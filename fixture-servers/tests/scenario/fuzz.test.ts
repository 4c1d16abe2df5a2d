import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEither } from '../../src/case/parse-file.ts';
import { action } from '../../src/scenario/actions.ts';
import { ScenarioError } from '../../src/scenario/error.ts';
import { parseScenario } from '../../src/scenario/parse.ts';
import { when } from '../../src/scenario/rules.ts';
import { scenario } from '../../src/scenario/schema.ts';
import { fuzzRuns } from '../fuzz-runs.ts';

/** Is taken, or refused with an error that a person can use. */
function isTakenOrExplained(parse: () => void): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    if (error instanceof ScenarioError) {
      for (const { line, column, message } of error.issues) {
        expect([line, column].every((each) => each !== undefined && each > 0)).toBe(true);
        expect(message.length).toBeGreaterThan(5);
      }
    }
    return false;
  }
}

const lines = fc.array(
  fc.oneof(fc.constantFrom('scenario: 1', 'case: 1', 'tools: [{name: a}]', 'rules:', '- when:', '  do: [{exit: 1}]', 'steps:', '- open: true', '{', '}', '*a', '&a x', '? ', '"', "'", '|', '\t'), fc.string()),
  { maxLength: 8 },
);
/** Words of the language, in any place, with any value. */
const word = fc.constantFrom(
  ...Object.keys(scenario.shape), ...Object.keys(when.shape), ...action.options.flatMap((option) => Object.keys(option.shape)),
  'when', 'do', 'servers', 'steps', 'judge', 'name', '__proto__', 'constructor', 'toString', 'generate', 'count', 'result',
);
const { words } = fc.letrec<{ words: unknown }>((tie) => ({
  words: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom<unknown>(1, 0, -1, 1.5, true, null, 'self', 'tools/call', '', 1e300), fc.string({ maxLength: 5 }), word,
    fc.array(tie('words'), { maxLength: 3 }), fc.dictionary(word, tie('words'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const almost = words.map((value) => {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [['rules', value]];
  return JSON.stringify(Object.fromEntries([['scenario', 1], ...members.filter(([key]) => key !== 'scenario')]));
});

describe("a stranger's file", () => {
  it('is either a scenario or refused with a place, never anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), lines.map((parts) => parts.join('\n')), fc.json()), (text) => {
        isTakenOrExplained(() => expect(parseScenario(text).scenario).toBe(1));
        isTakenOrExplained(() => void parseEither(text, 'f'));
      }),
      fuzzRuns(400),
    );
  });

  it('of words of the language in any order is taken, or every trouble has its place', () => {
    let taken = 0;
    fc.assert(
      fc.property(almost, (text) => {
        taken += Number(isTakenOrExplained(() => void parseEither(text, 'f')));
      }),
      fuzzRuns(400),
    );
    expect(taken).toBeGreaterThan(0);
  });
});
