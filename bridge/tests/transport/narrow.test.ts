import { expect, it } from 'vitest';
import { isJsonObject, systemCode } from '../../src/transport/narrow.ts';

it('finds the code of a system error, and none where there is none', () => {
  expect(systemCode(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect([null, undefined, 'ENOENT', {}, { code: 2 }].map(systemCode)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

it('knows an object of JSON from everything else', () => {
  expect([{}, { a: 1 }].map(isJsonObject)).toEqual([true, true]);
  expect([null, [], 'text', 5, undefined].map(isJsonObject)).toEqual([false, false, false, false, false]);
});
