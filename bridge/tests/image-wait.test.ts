import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitAtMost } from '../src/image-wait.ts';
import { defer } from './helpers-logic/scripted-session.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('waitAtMost', () => {
  let caller: AbortController;

  beforeEach(() => {
    vi.useFakeTimers();
    caller = new AbortController();
  });
  afterEach(() => {
    // Whatever happened, nothing stays behind (B24).
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    vi.useRealTimers();
  });

  it('gives the value of work that ends in time', async () => {
    expect(await waitAtMost(async () => 5, { timeoutMs: 10, signal: caller.signal })).toEqual({ kind: 'value', value: 5 });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    ['throws at once', () => { throw new Error('no'); }],
  ])('gives the error of work that %s', async (_how, work) => {
    expect(await waitAtMost(work, { timeoutMs: 10, signal: caller.signal })).toEqual({ kind: 'failed', error: new Error('no') });
  });

  it('ends when the time is up, tells the work so, and forgets what becomes of it', async () => {
    const late = defer<number>();
    let told: AbortSignal | undefined;
    const waited = waitAtMost((signal) => {
      told = signal;
      return late.promise;
    }, { timeoutMs: 10, signal: caller.signal });
    await vi.advanceTimersByTimeAsync(9);
    expect(told?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waited).toEqual({ kind: 'timed-out' });
    expect(told?.reason).toMatchObject({ name: 'TimeoutError', message: 'no answer within 10 ms' });
    late.reject(new Error('too late'));
  });

  it('ends with the caller\'s abort, at once, and hands its reason to the work (S38)', async () => {
    let told: AbortSignal | undefined;
    const waited = waitAtMost((signal) => {
      told = signal;
      return never();
    }, { timeoutMs: 10, signal: caller.signal });
    caller.abort('enough');
    expect(await waited).toEqual({ kind: 'aborted' });
    expect(told?.reason).toBe('enough');
  });

  it('begins nothing after an abort (S38)', async () => {
    caller.abort();
    const work = vi.fn(never);
    expect(await waitAtMost(work, { timeoutMs: 10, signal: caller.signal })).toEqual({ kind: 'aborted' });
    expect(work).not.toHaveBeenCalled();
  });
});
