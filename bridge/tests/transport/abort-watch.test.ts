/** A signal is watched by one listener, a millisecond late, and nothing of an abort is missed for that (B12, B24). */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasAborted, watchAbortLate } from '../../src/transport/abort-watch.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** Resolves when every watch that was begun before it has its listener. */
function watched(): Promise<void> {
  const { signal } = new AbortController();
  const end = watchAbortLate(signal, () => {});
  return expect.poll(() => listeners(signal), { interval: 1 }).toBe(1).then(end);
}

describe('a late watch', () => {
  it('never touches the signal of what is over within a millisecond', async () => {
    const { signal } = new AbortController();
    const end = watchAbortLate(signal, () => {});
    expect(listeners(signal)).toBe(0);
    end();
    await watched();
    expect(listeners(signal)).toBe(0);
  });

  it('hears of an abort that comes after it began, and leaves no listener', async () => {
    const caller = new AbortController();
    let heard = 0;
    const end = watchAbortLate(caller.signal, () => (heard += 1));
    await watched();
    expect(listeners(caller.signal)).toBe(1);
    caller.abort();
    expect(heard).toBe(1);
    end();
    end();
    expect(listeners(caller.signal)).toBe(0);
  });

  it('shares one listener with the others of its signal, and ends alone', async () => {
    const caller = new AbortController();
    let heard = 0;
    const end = watchAbortLate(caller.signal, () => {});
    const endOther = watchAbortLate(caller.signal, () => (heard += 1));
    await watched();
    expect(listeners(caller.signal)).toBe(1);
    end();
    end();
    caller.abort();
    expect(heard).toBe(1);
    endOther();
    expect(listeners(caller.signal)).toBe(0);
  });

  it('hears of an abort that came before it began', async () => {
    const caller = new AbortController();
    const heard = new Promise<void>((resolve) => {
      watchAbortLate(caller.signal, resolve);
    });
    caller.abort();
    await heard;
    expect(listeners(caller.signal)).toBe(0);
  });

  it('hears nothing once it has ended, so whoever ended it looks', async () => {
    const caller = new AbortController();
    let heard = 0;
    const end = watchAbortLate(caller.signal, () => (heard += 1));
    caller.abort();
    end();
    await watched();
    expect([heard, hasAborted(caller.signal), hasAborted(undefined)]).toEqual([0, true, false]);
  });
});
