import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../src/clock.ts';

it('never fires early, not even by a fraction of a millisecond (S52)', async () => {
  const DELAY_MS = 2.9;
  const waits = Array.from({ length: 60 }, async () => {
    const startedAt = systemClock.now();
    await new Promise<void>((resolve) => void systemClock.schedule(DELAY_MS, resolve));
    return systemClock.now() - startedAt;
  });
  expect(Math.min(...(await Promise.all(waits)))).toBeGreaterThanOrEqual(DELAY_MS);
});

it('looks at the time when a timer fires, and waits on for what is left (S52)', async () => {
  let now = 100;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    let isFired = false;
    const fired = new Promise<void>((resolve) => void systemClock.schedule(3, () => {
      isFired = true;
      resolve();
    }));
    now = 102.5;
    // Timers fire in the order in which they are due, so the clock's own has by then.
    await setTimeout(4);
    expect(isFired).toBe(false);
    now = 103;
    await fired;
  } finally {
    clock.mockRestore();
  }
});

it('fires when the time is over to the fraction', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(100).mockReturnValueOnce(103).mockReturnValue(Number.NEGATIVE_INFINITY);
  try {
    await new Promise<void>((resolve) => void systemClock.schedule(3, resolve));
  } finally {
    clock.mockRestore();
  }
});

it('does not fire when it was cancelled', async () => {
  let isFired = false;
  const cancel = systemClock.schedule(1, () => (isFired = true));
  cancel();
  await new Promise<void>((resolve) => void systemClock.schedule(5, resolve));
  expect(isFired).toBe(false);
});
