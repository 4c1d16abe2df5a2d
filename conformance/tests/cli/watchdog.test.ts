import { expect, it } from 'vitest';
import { Watchdog } from '../../src/cli/watchdog.ts';

it('calls back when nothing was heard, and not while something is', async () => {
  const startedAtMs = performance.now();
  await new Promise<void>((resolve) => {
    const watchdog = new Watchdog(40, resolve);
    setTimeout(() => watchdog.heard(), 25);
  });
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(64);
});

it('calls nobody once it is stopped', async () => {
  let called = false;
  const watchdog = new Watchdog(5, () => (called = true));
  watchdog.stop();
  await new Promise<void>((resolve) => new Watchdog(20, resolve));
  expect(called).toBe(false);
});
