import { expect, it } from 'vitest';
import { BridgeError, describeError } from '../src/errors.ts';

it('tells an error by its message, by its name where there is none, and anything else as text', () => {
  expect(describeError(new Error('refused'))).toBe('refused');
  expect(describeError(new RangeError(''))).toBe('RangeError');
  expect(describeError('just text')).toBe('just text');
  expect(describeError(undefined)).toBe('undefined');
});

it('makes one bounded line of well-formed text (B16)', () => {
  expect(describeError(new Error(' a\n\tb  c '))).toBe('a b c');
  expect(describeError('x\uD800y')).toBe('x\uFFFDy');
  const long = describeError('😀'.repeat(1_000));
  expect(long).toBe(`${'😀'.repeat(249)}…`);
  expect(describeError('x'.repeat(500))).toBe('x'.repeat(500));
});

it('is printed under its own name', () => {
  expect(String(new BridgeError('connect-failed', 'refused'))).toBe('BridgeError: refused');
});

it('keeps what was caught, and only that', () => {
  const cause = new Error('below');
  expect(new BridgeError('connect-failed', 'above', { cause }).cause).toBe(cause);
  expect(Object.hasOwn(new BridgeError('connect-failed', 'above'), 'cause')).toBe(false);
});
