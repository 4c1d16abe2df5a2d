import { expect, it } from 'vitest';
import { cutOut, mergeRanges } from '../src/text-ranges.ts';

it('merges parts that lap over each other, and leaves apart those that only touch', () => {
  expect(mergeRanges([[0, 4], [2, 6], [3, 5], [6, 8]])).toEqual([[0, 6], [6, 8]]);
});

it('puts a mark in place of each part, and nothing where there is none', () => {
  expect(cutOut('abcdef', [[0, 1], [1, 2], [4, 6]], '.')).toBe('..cd.');
  expect(cutOut('abc', [], '.')).toBe('abc');
});
