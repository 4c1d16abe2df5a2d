import { expect, it } from 'vitest';
import { StreamPace } from '../../src/transport/stream-pace.ts';

const LIMITS = { streamRetryMs: 500, maxStreamRetryMs: 3_000 };

function waits(pace: StreamPace, count: number): number[] {
  return Array.from({ length: count }, () => pace.nextMs());
}

it('doubles up to the longest, and begins again once something came', () => {
  const pace = new StreamPace(LIMITS);
  expect(waits(pace, 5)).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  pace.prospered();
  expect(waits(pace, 2)).toEqual([500, 1_000]);
});

it('waits as the server wishes, neither below the shortest nor above the longest', () => {
  const pace = new StreamPace(LIMITS);
  pace.asked(40);
  expect(waits(pace, 2)).toEqual([40, 80]);
  pace.asked(0);
  pace.prospered();
  expect(pace.nextMs()).toBe(10);
  pace.asked(86_400_000);
  expect(pace.nextMs()).toBe(3_000);
});

it('stays finite', () => {
  expect(waits(new StreamPace(LIMITS), 2_000).at(-1)).toBe(3_000);
});
