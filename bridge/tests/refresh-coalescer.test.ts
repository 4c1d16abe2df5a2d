import { beforeEach, describe, expect, it } from 'vitest';
import { createCoalescer, type Coalescer } from '../src/refresh-coalescer.ts';
import { ManualClock } from './helpers-logic/manual-clock.ts';
import { defer, type Deferred } from './helpers-logic/scripted-session.ts';

describe('createCoalescer', () => {
  let clock: ManualClock;
  let refreshes: number[];
  let foundNew: boolean;
  let onRefresh: () => void;
  let gate: Deferred<void> | undefined;
  let coalescer: Coalescer;
  let start: number;

  beforeEach(() => {
    clock = new ManualClock();
    start = clock.now();
    refreshes = [];
    foundNew = true;
    onRefresh = () => undefined;
    gate = undefined;
    coalescer = createCoalescer({
      quietMs: 100,
      maxWaitMs: 500,
      clock,
      refresh: async () => {
        refreshes.push(clock.now() - start);
        await gate?.promise;
        onRefresh();
        return foundNew;
      },
    });
    coalescer.release();
  });

  it('refreshes once, after the quiet time, for a burst without gaps (B02)', async () => {
    for (let count = 0; count < 10_000; count += 1) coalescer.notice();
    expect(clock.waiting).toBe(1);
    await clock.advance(99);
    expect(refreshes).toEqual([]);
    await clock.advance(5_000);
    expect(refreshes).toEqual([100]);
  });

  it('does not wait longer than the longest wait, which doubles while the burst lasts', async () => {
    for (let ms = 0; ms < 4_000; ms += 10) {
      coalescer.notice();
      await clock.advance(10);
    }
    await clock.advance(1_000);
    expect(refreshes.length).toBeLessThanOrEqual(5);
    expect(refreshes[0]).toBe(500);
    // The last change is visible soon after the end of the burst.
    expect(refreshes.at(-1)).toBeGreaterThanOrEqual(4_000);
    expect(refreshes.at(-1)).toBeLessThanOrEqual(4_990);
  });

  it('refreshes again for a notice that comes during a refresh, and never twice at once (S31)', async () => {
    gate = defer();
    coalescer.notice();
    await clock.advance(100);
    coalescer.notice();
    await clock.advance(10_000);
    expect(refreshes).toHaveLength(1);
    gate.resolve();
    await clock.advance(100);
    expect(refreshes).toHaveLength(2);
  });

  it.each([
    // New each time: somebody may be waiting for it, so never more than 0.8 s apart, and never less once it is an echo.
    { isNew: true, least: 70, most: 85 },
    { isNew: false, least: 5, most: 35 },
  ])('slows down for a server that answers every listing with another notice (list new each time: $isNew)', async ({ isNew, least, most }) => {
    foundNew = isNew;
    onRefresh = () => coalescer.notice();
    coalescer.notice();
    await clock.advance(60_000);
    expect(refreshes.length).toBeGreaterThan(least);
    expect(refreshes.length).toBeLessThan(most);
  });

  it('lets a list that is new each time be read five times before it takes the notices for echoes', async () => {
    onRefresh = () => coalescer.notice();
    coalescer.notice();
    await clock.advance(800);
    expect(refreshes).toEqual([100, 200, 300, 400, 500, 600, 800]);
  });

  it.each([
    { notices: 1, times: [100, 300, 700] },
    { notices: 2, times: [100, 300, 700] },
    { notices: 3, times: [100, 200, 300, 400, 500, 600, 700] },
  ])('takes one or two notices after a listing for its echo, and more for a burst: $notices', async ({ notices, times }) => {
    foundNew = false;
    onRefresh = () => {
      for (let count = 0; count < notices; count += 1) coalescer.notice();
    };
    for (let count = 0; count < notices; count += 1) coalescer.notice();
    await clock.advance(700);
    expect(refreshes).toEqual(times);
  });

  it.each([
    { silenceMs: 1_400, waitMs: 400 },
    { silenceMs: 1_401, waitMs: 100 },
  ])('takes a burst for over after a second of silence beyond its quiet time: waits $waitMs ms after $silenceMs', async ({ silenceMs, waitMs }) => {
    foundNew = false;
    let echoes = 1;
    onRefresh = () => {
      if ((echoes -= 1) >= 0) coalescer.notice();
    };
    coalescer.notice();
    // Read at 100 and, after its echo, at 300; from then on the quiet time is 400.
    await clock.advance(100 + silenceMs);
    const noticedAt = clock.now() - start;
    coalescer.notice();
    await clock.advance(400);
    expect(refreshes).toEqual([100, 300, noticedAt + waitMs]);
  });

  it('shows each of many single changes within a second of its notice (DESIGN.md, budgets)', async () => {
    foundNew = true;
    for (let change = 0; change < 50; change += 1) {
      const before = refreshes.length;
      const noticedAt = clock.now() - start;
      coalescer.notice();
      await clock.advance(1_000);
      expect(refreshes).toHaveLength(before + 1);
      expect((refreshes.at(-1) ?? Infinity) - noticedAt).toBeLessThanOrEqual(1_000);
    }
  });

  it('is quick again once the server has been silent', async () => {
    foundNew = false;
    let echoes = 10;
    onRefresh = () => {
      if ((echoes -= 1) > 0) coalescer.notice();
    };
    coalescer.notice();
    await clock.advance(120_000);
    const before = refreshes.length;
    const noticedAt = clock.now() - start;
    coalescer.notice();
    await clock.advance(101);
    expect(refreshes.slice(before)).toEqual([noticedAt + 100]);
  });

  it('starts held, so that nothing is refreshed before the first listing (S31)', async () => {
    let count = 0;
    const fresh = createCoalescer({
      quietMs: 1,
      maxWaitMs: 1,
      clock,
      refresh: () => {
        count += 1;
        return Promise.resolve(false);
      },
    });
    fresh.notice();
    await clock.advance(1_000);
    expect(count).toBe(0);
    fresh.release();
    await clock.advance(1);
    expect(count).toBe(1);
  });

  it('keeps what was noticed while it was held (S31)', async () => {
    coalescer.hold();
    coalescer.notice();
    await clock.advance(10_000);
    expect(refreshes).toEqual([]);
    coalescer.release();
    await clock.advance(1);
    expect(refreshes).toHaveLength(1);
  });

  it('begins nothing after it was stopped, and waits for what is under way (S60)', async () => {
    gate = defer();
    coalescer.notice();
    await clock.advance(100);
    let stopped = false;
    const stop = coalescer.stop().then(() => (stopped = true));
    coalescer.notice();
    await clock.advance(1_000);
    expect(stopped).toBe(false);
    gate.resolve();
    await stop;
    await clock.advance(10_000);
    expect(refreshes).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});
