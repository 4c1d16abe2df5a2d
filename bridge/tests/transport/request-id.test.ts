import { expect, it } from 'vitest';
import { idOf } from '../../src/transport/request-id.ts';

it.each<readonly [unknown, number]>([
  [0, 0], [4, 4], ['0', 0], ['4', 4], ['10', 10], ['123', 123], ['9007199254740991', 9_007_199_254_740_991],
  ['04', Number.NaN], ['12345678901234567', Number.NaN], ['1x', Number.NaN], ['x1', Number.NaN], ['4.5', Number.NaN], ['', Number.NaN],
  [null, Number.NaN], [undefined, Number.NaN], [true, Number.NaN], [['4'], Number.NaN],
])('takes the id %j of an answer for %d', (id, number) => {
  expect(idOf(id)).toBe(number);
});
