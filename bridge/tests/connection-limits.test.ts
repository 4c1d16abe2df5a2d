import { expect, it } from 'vitest';
import { clampTimerMs, DEFAULT_CONNECTION_LIMITS, limitsOf, MAX_TIMER_MS, resolveConnectionLimits } from '../src/connection-limits.ts';

it('fills in defaults, also for members that are undefined', () => {
  expect(resolveConnectionLimits()).toEqual(DEFAULT_CONNECTION_LIMITS);
  const given = { connectTimeoutMs: undefined, maxMessageBytes: 10 } as object;
  expect(resolveConnectionLimits(given)).toEqual({ ...DEFAULT_CONNECTION_LIMITS, maxMessageBytes: 10 });
});

it('takes its limits out of the options of an instance, and nothing else', () => {
  const limits = Object.fromEntries(Object.keys(DEFAULT_CONNECTION_LIMITS).map((name, index) => [name, index + 1]));
  const options = resolveConnectionLimits(limits);
  expect(limitsOf({ ...options, ...({ serverName: 'a' } as object) })).toEqual(limits);
});

it('keeps times within what a timer can hold, and leaves sizes alone', () => {
  const limits = resolveConnectionLimits({ connectTimeoutMs: 2 ** 31, closeGraceMs: 0, maxMessageBytes: 2 ** 40 });
  expect(limits).toMatchObject({ connectTimeoutMs: MAX_TIMER_MS, closeGraceMs: 1, maxMessageBytes: 2 ** 40 });
  expect([Infinity, Number.NaN, -1].map(clampTimerMs)).toEqual([MAX_TIMER_MS, MAX_TIMER_MS, 1]);
});
