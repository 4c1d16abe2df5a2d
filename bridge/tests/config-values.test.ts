import { describe, expect, it } from 'vitest';
import { ConfigProblems } from '../src/config-problems.ts';
import { readChoice, readFetch, readFlag, readNumber, readPairs, readText, readTexts, readUrl } from '../src/config-values.ts';

const PLACE = 'config.x';

interface Reading<T> {
  readonly value: T;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** What one reader gave, and what it said of the value. */
function reading<T>(read: (problems: ConfigProblems) => T): Reading<T> {
  const found = new ConfigProblems();
  const value = read(found);
  let message = '';
  try {
    found.throwIfAny();
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  return { value, problems: message === '' ? [] : message.split('\n'), warnings: found.warnings };
}

const number = (unit: 'ms' | 'bytes' | 'count') => ({ type: 'number', unit, default: 5, min: 2, max: 9 }) as const;
const CHOICE = { type: 'choice', default: 'warn', choices: ['warn', 'fail'] } as const;

describe('readNumber', () => {
  it.each([
    ['ms', 'x', 'must be a number of milliseconds, not text; write a plain number without quotes, such as 5'],
    ['bytes', 'x', 'must be a number of bytes, not text; write a plain number without quotes, such as 5'],
    ['count', [], 'must be a number, not a list; write a plain number without quotes, such as 5'],
    ['bytes', Infinity, 'must be a number of bytes, not Infinity; write a finite number, such as 5'],
    ['count', 2.5, 'must be a whole number, not 2.5; write one such as 5'],
    ['ms', 0, 'must be greater than 0, not 0; write one such as 5'],
    ['ms', 1.9, 'must be between 2 and 9, not 1.9; write one such as 5'],
    ['ms', 9.1, 'must be between 2 and 9, not 9.1; write one such as 5'],
  ] as const)('says what is wrong with a number of %s that is %j, and goes on with the default: %s (S09)', (unit, given, problem) => {
    expect(reading((problems) => readNumber(number(unit), given, PLACE, problems))).toEqual({ value: 5, problems: [`mcp-bridge config.x: ${problem}`], warnings: [] });
  });

  it.each([
    ['ms', 2, 2],
    ['bytes', 9, 9],
    ['ms', 2.5, 2.5],
    ['count', null, 5],
    ['count', undefined, 5],
  ] as const)('takes a number of %s that is %j for %d, bounds included', (unit, given, value) => {
    expect(reading((problems) => readNumber(number(unit), given, PLACE, problems))).toEqual({ value, problems: [], warnings: [] });
  });
});

describe('readFlag and readChoice', () => {
  it.each([null, undefined])('take %j for an option that was left out', (absent) => {
    expect(reading((problems) => [readFlag({ type: 'flag', default: true }, absent, PLACE, problems), readChoice(CHOICE, absent, PLACE, problems)])).toEqual({ value: [true, 'warn'], problems: [], warnings: [] });
  });

  it('say what to write (S09)', () => {
    const { value, problems } = reading((found) => [
      readFlag({ type: 'flag', default: true }, 'no', PLACE, found), readChoice(CHOICE, 'panic', PLACE, found), readChoice(CHOICE, 5, PLACE, found),
    ]);
    expect(value).toEqual([true, 'warn', 'warn']);
    expect(problems).toEqual([
      'mcp-bridge config.x: must be true or false, not text; write true or false without quotes',
      'mcp-bridge config.x: is "panic"; write one of warn, fail',
      'mcp-bridge config.x: is the number 5; write one of warn, fail',
    ]);
  });
});

describe('readTexts', () => {
  it('gives the texts of a list all the same where something in it is wrong', () => {
    expect(reading((problems) => readTexts(['-p', 80, 'x'], PLACE, problems)).value).toEqual(['-p', 'x']);
    expect(reading((problems) => readTexts('-p', PLACE, problems)).value).toEqual([]);
    expect(reading((problems) => readText(5, PLACE, problems, 'one')).value).toBe('');
  });
});

function pairs(value: unknown, names: 'env' | 'headers'): Reading<Readonly<Record<string, string>>> {
  return reading((problems) => readPairs(value, PLACE, problems, names));
}

describe('readPairs', () => {
  it.each(['A=b', ['A']])('wants a mapping, not %j (S09)', (value) => {
    const kind = typeof value === 'string' ? 'text' : 'a list';
    expect(pairs(value, 'env').problems).toEqual([`mcp-bridge config.x: must be a mapping of names to texts, not ${kind}; write NAME: value, one a line`]);
  });

  it('wants texts, and says so without the value (S09, B18)', () => {
    expect(pairs({ A: 5 }, 'env').problems).toEqual(['mcp-bridge config.x["A"]: must be text, not number; put the value in quotes']);
  });

  it.each([
    ['env', '', 'v'],
    ['env', 'A=B', 'v'],
    ['env', 'A\0', 'v'],
    ['env', 'A', 'v\0'],
    ['headers', 'a b', 'v'],
    ['headers', 'a', 'v\nw'],
    ['headers', 'a', '→'],
  ] as const)('refuses in %s the name %j with the value %j (S09)', (names, name, value) => {
    const fix = names === 'env' ? 'remove = from the name and NUL from both' : 'keep to letters, digits and - in the name, and to one line in the value';
    expect(pairs({ [name]: value }, names).problems).toEqual([`mcp-bridge config.x[${JSON.stringify(name)}]: holds a character that is not allowed there; ${fix}`]);
  });

  it('takes in the environment what no header may hold', () => {
    expect(pairs({ 'a b': '→\n' }, 'env')).toMatchObject({ value: { 'a b': '→\n' }, problems: [] });
  });

  it('asks about a value that is nothing but the word undefined', () => {
    expect(pairs({ A: 'undefined', B: 'xundefined' }, 'env').warnings).toEqual(['config.x["A"]: ends with the word "undefined"; is the variable set that its expression reads?']);
  });
});

describe('readUrl', () => {
  it.each([
    [undefined, "is missing; write the server's address, such as http://localhost:3000/mcp"],
    ['localhost', 'is no complete address; write it whole, such as http://localhost:3000/mcp'],
    ['see http://localhost:65536/', 'is no complete address; write it whole, such as http://localhost:3000/mcp'],
    ['http://local host:80/', 'is no complete address; write it whole, such as http://localhost:3000/mcp'],
    ['http://localhost:65536/', 'has a port above 65535; correct the port'],
    ['ws://localhost/', 'has the scheme "ws:"; use http:// or https://'],
    ['http://user@localhost/', 'contains a user name or password; move them into headers.Authorization'],
    ['http://:word@localhost/', 'contains a user name or password; move them into headers.Authorization'],
  ])('says one thing of the address %j: %s (S09)', (value, problem) => {
    expect(reading((problems) => readUrl(value, PLACE, problems)).problems).toEqual([`mcp-bridge config.x: ${problem}`]);
  });

  it.each(['http://localhost/', 'https://example.com/mcp?a=b'])('takes %s as it is written', (value) => {
    expect(reading((problems) => readUrl(value, PLACE, problems))).toEqual({ value, problems: [], warnings: [] });
  });
});

it('takes a function for fetch, and nothing for the one of the platform (B29)', () => {
  expect(reading((problems) => [readFetch(fetch, PLACE, problems), readFetch(null, PLACE, problems)])).toEqual({ value: [fetch, undefined], problems: [], warnings: [] });
});
