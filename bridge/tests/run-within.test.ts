import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { runWithin } from '../src/run-within.ts';

/** A regular expression that backtracks for minutes. */
const never = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}!`);

it('returns what the work returned, the very same object', () => {
  const made = { a: 1 };
  expect(runWithin(1_000, () => made)).toBe(made);
  expect(runWithin(1_000, () => undefined)).toBeUndefined();
});

it('hands on what the work throws', () => {
  const fault = new RangeError('no');
  const fail = (): never => {
    throw fault;
  };
  expect(() => runWithin(1_000, fail)).toThrow(fault);
});

it('ends work that never ends (B01)', () => {
  expect(() => runWithin(20, never)).toThrow(/timed out/);
});

it('does not hold on to what it ran', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const ran = ((): WeakRef<object> => {
    const held = { a: 1 };
    runWithin(1_000, () => held.a);
    return new WeakRef(held);
  })();
  // What a job has looked at is kept until the job ends.
  await new Promise(setImmediate);
  if (typeof collect === 'function') collect();
  expect(ran.deref()).toBeUndefined();
});

it('can be used inside work that is bounded itself, also after the inner work was ended', () => {
  const outcome = runWithin(5_000, () => {
    const inner = runWithin(1_000, () => 'inner');
    expect(() => runWithin(20, never)).toThrow(/timed out/);
    return `${inner} and ${runWithin(1_000, () => 'after')}`;
  });
  expect(outcome).toBe('inner and after');
});
