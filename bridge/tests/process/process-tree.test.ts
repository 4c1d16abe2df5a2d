/** When it is looked whether processes are gone (S58). */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitUntilGone } from '../../src/process/process-tree.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits for a tree that is gone after so long; tells whether that was seen, and the times of all looks. */
async function looks(limitMs: number, goneAfterMs = Number.POSITIVE_INFINITY): Promise<{ gone: boolean; at: number[] }> {
  const begunAtMs = performance.now();
  const at: number[] = [];
  const isAlive = (): boolean => at.push(performance.now() - begunAtMs) > 0 && performance.now() - begunAtMs < goneAfterMs;
  const waiting = waitUntilGone({ signal: () => true, isAlive }, limitMs, () => performance.now());
  await vi.advanceTimersByTimeAsync(limitMs + 100);
  return { gone: await waiting, at };
}

it('looks at once, soon again, then less often, and at last when the time is up', async () => {
  expect(await looks(150)).toEqual({ gone: false, at: [0, 2, 6, 14, 30, 62, 102, 142, 150] });
});

it('looks no more once they are gone, and waits not at all where there is no time', async () => {
  expect(await looks(150, 10)).toEqual({ gone: true, at: [0, 2, 6, 14] });
  expect(await looks(0)).toEqual({ gone: false, at: [0] });
  expect(await looks(0, 0)).toEqual({ gone: true, at: [0] });
});
