import { expect, it } from 'vitest';
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

it('does not fire when it was cancelled', async () => {
  let isFired = false;
  const cancel = systemClock.schedule(1, () => (isFired = true));
  cancel();
  await new Promise<void>((resolve) => void systemClock.schedule(5, resolve));
  expect(isFired).toBe(false);
});
