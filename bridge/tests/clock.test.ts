import { expect, it } from 'vitest';
import { systemClock } from '../src/clock.ts';

it('never fires early, also after work that held up the event loop (S52)', async () => {
  const heldUntil = performance.now() + 40;
  while (performance.now() < heldUntil);
  const startedAt = systemClock.now();
  await new Promise<void>((resolve) => void systemClock.schedule(20, resolve));
  expect(systemClock.now() - startedAt).toBeGreaterThanOrEqual(20);
});

it('does not fire when it was cancelled', async () => {
  let isFired = false;
  const cancel = systemClock.schedule(1, () => (isFired = true));
  cancel();
  await new Promise<void>((resolve) => void systemClock.schedule(5, resolve));
  expect(isFired).toBe(false);
});
