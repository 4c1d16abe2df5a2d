import { expect, it } from 'vitest';
import { causeOf, describeSituation, headline, nextAttempt, type Situation } from '../../src/outage-text.ts';

it('begins a line by what went wrong: a loss, a first start, an attempt (S59)', () => {
  const detail = 'refused';
  expect(headline({ kind: 'loss', attempt: 0, detail }, 10)).toBe('connection lost: refused');
  expect(headline({ kind: 'start', attempt: 0, detail }, 10)).toBe('not available: refused');
  expect(headline({ kind: 'attempt', attempt: 3, detail }, 10)).toBe('attempt 3 of 10 failed: refused');
});

it('keeps beginning and end of a long reason, and no half character', () => {
  const long = headline({ kind: 'loss', attempt: 0, detail: `first ${'😀'.repeat(2_000)} last` }, 10);
  expect(long).toMatch(/^connection lost: first .* … .* last$/u);
  expect(long.length).toBeLessThan(1_600);
  const fitting = 'x'.repeat(1_500);
  expect(headline({ kind: 'loss', attempt: 0, detail: fitting }, 10)).toBe(`connection lost: ${fitting}`);
  expect(headline({ kind: 'loss', attempt: 0, detail: `${fitting}x` }, 10).length).toBeLessThanOrEqual('connection lost: '.length + 1_500);
  expect(long).not.toMatch(/\p{Surrogate}/u);
});

it('names attempt and delay (S59)', () => {
  expect(nextAttempt(2, 10, 1_000)).toBe('reconnecting: attempt 2 of 10 in 1000 ms');
});

it('tells a connection that was lost from one that never came about', () => {
  expect(causeOf({ kind: 'loss', attempt: 0, detail: 'boom' }, 'boom')).toBe('the connection was lost: boom');
  expect(causeOf({ kind: 'attempt', attempt: 1, detail: 'boom' }, 'boom')).toBe('it could not be connected: boom');
});

const cause = causeOf({ kind: 'loss', attempt: 0, detail: 'boom' }, 'boom');

const SITUATIONS: readonly (readonly [Situation, string])[] = [
  [{ kind: 'connecting' }, 'it is being connected for the first time'],
  [{ kind: 'connected' }, 'its connection has just ended'],
  [{ kind: 'ending', cause }, 'the connection was lost: boom; what is left of it is being ended'],
  [{ kind: 'waiting', cause, attempt: 2, dueAtMs: 1_000.4 }, 'the connection was lost: boom; attempt 2 of 10 begins in 101 ms'],
  [{ kind: 'waiting', cause, attempt: 2, dueAtMs: 800 }, 'the connection was lost: boom; attempt 2 of 10 begins in 0 ms'],
  [{ kind: 'attempting', cause, attempt: 2 }, 'the connection was lost: boom; attempt 2 of 10 is under way'],
  [{ kind: 'stopped', cause, why: 'given up' }, 'the connection was lost: boom; given up'],
  [{ kind: 'disposed' }, 'this instance of the bridge is disposed'],
];

it.each(SITUATIONS)('tells a call what is going on: %o', (situation, text) => {
  expect(describeSituation(situation, 10, 900)).toBe(text);
});
