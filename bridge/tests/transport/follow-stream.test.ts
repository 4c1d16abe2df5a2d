import { describe, expect, it } from 'vitest';
import { followStream, type FollowOptions } from '../../src/transport/follow-stream.ts';
import { HttpFailure } from '../../src/transport/http-failure.ts';
import { watchTimers } from './watch-timers.ts';

/** A stream that brings this and ends. */
function brings(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => {
      stream.enqueue(new TextEncoder().encode(text));
      stream.close();
    },
  });
}

const LIMITS = { streamRetryMs: 1, maxStreamRetryMs: 40, maxStreamAttempts: 3, maxMessageBytes: 1_000, maxMessageValues: 100 };

/** Follows these streams, then meets a refusal; tells what it was given and the times at which it asked. */
async function follow(streams: ReadableStream<Uint8Array>[], more: Partial<FollowOptions> = {}): Promise<{ failure: unknown; data: string[]; asked: (string | undefined)[]; gaps: boolean[] }> {
  const data: string[] = [];
  const asked: (string | undefined)[] = [];
  const gaps: boolean[] = [];
  const failure: unknown = await followStream({
    open: (lastEventId) => {
      asked.push(lastEventId);
      const next = streams.shift();
      return next === undefined ? Promise.reject(new HttpFailure('no more', { evidence: 'none' })) : Promise.resolve(next);
    },
    mayBeginAnew: true,
    onData: (text) => data.push(text),
    onOpened: (isGap) => gaps.push(isGap),
    onTrouble: () => {},
    isDone: () => false,
    signal: new AbortController().signal,
    limits: LIMITS,
    now: () => 0,
    ...more,
  }).catch((error: unknown) => error);
  return { failure, data, asked, gaps };
}

it('reads on with the last id, and knows where something may be missing', async () => {
  const { data, asked, gaps, failure } = await follow([brings('id: 1\ndata: a\n\nid: 2\ndata: b\n\n'), brings('data: c\n\n'), brings('id\ndata: d\n\n'), brings('nonsense: 1\nretry: soon\n\n')]);
  expect(data).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual([undefined, '2', '2', undefined, undefined]);
  expect(gaps).toEqual([false, false, false, true]);
  expect(failure).toMatchObject({ message: 'no more' });
});

it('takes a stream that lived long for a good one, though it brought nothing', async () => {
  let nowMs = 0;
  const begunAtMs = performance.now();
  const { asked } = await follow(Array.from({ length: 8 }, () => brings('')), {
    // Each stream lives a second.
    now: () => {
      nowMs += 1_000;
      return nowMs;
    },
    limits: { ...LIMITS, streamRetryMs: 30, maxStreamRetryMs: 1_000 },
  });
  expect(asked).toHaveLength(9);
  // Eight waits of 30 ms; with doubling they would take more than four seconds.
  expect(performance.now() - begunAtMs).toBeLessThan(3_000);
});

it('says that a stream broke even where nobody says why', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (stream) => stream.error() });
  expect((await follow([broken], { mayBeginAnew: false })).failure).toMatchObject({ executed: 'unknown', message: expect.stringContaining('broke (no reason given)') as unknown });
});

it('gives up a wait at once, which keeps no program alive (B07)', async () => {
  const end = new AbortController();
  const timers = watchTimers(59_999);
  let keepAlive: readonly boolean[] = [];
  const { failure, asked } = await follow([brings('retry: 59999\n\n')], {
    signal: end.signal,
    limits: { ...LIMITS, maxStreamRetryMs: 60_000 },
    // Asked right before it waits.
    isDone: () => {
      setImmediate(() => {
        keepAlive = timers();
        end.abort();
      });
      return false;
    },
  });
  expect({ failure, asked, keepAlive }).toEqual({ failure: undefined, asked: [undefined], keepAlive: [false] });
});

it('reads the stream that is there before it asks for another', async () => {
  const { data, asked, gaps } = await follow([], { first: brings('id: 1\ndata: a\n\n') });
  expect({ data, asked, gaps }).toEqual({ data: ['a'], asked: ['1'], gaps: [] });
});

it('waits ever longer while streams bring nothing', async () => {
  const begunAtMs = performance.now();
  // 10, 20, 40 and 40 ms.
  await follow([brings(''), brings(''), brings(''), brings('')], { now: () => 1_000_000, limits: { ...LIMITS, streamRetryMs: 10 } });
  expect(performance.now() - begunAtMs).toBeGreaterThan(100);
});

describe('the end of a stream', () => {
  it('is the end of all when nothing more is expected, before or after the wait', async () => {
    expect(await follow([brings('')], { mayBeginAnew: false, isDone: () => true })).toMatchObject({ failure: undefined, asked: [undefined] });
    let looks = 0;
    expect(await follow([brings('')], { isDone: () => (looks += 1) > 1 })).toMatchObject({ failure: undefined, asked: [undefined] });
  });

  it('is the end of all when it was given up, while it was read or asked for', async () => {
    const reading = new AbortController();
    expect(await follow([brings('data: a\n\ndata: b\n\n')], { mayBeginAnew: false, signal: reading.signal, onData: () => reading.abort() })).toMatchObject({ failure: undefined });
    const asking = new AbortController();
    const open = (): Promise<never> => {
      asking.abort();
      return Promise.reject(new HttpFailure('aborted', { evidence: 'none' }));
    };
    expect(await follow([], { signal: asking.signal, open })).toMatchObject({ failure: undefined });
  });

  it('is a failure where nothing was there to resume with', async () => {
    expect((await follow([brings('data: a\n\n')], { mayBeginAnew: false })).failure).toMatchObject({
      executed: 'unknown', evidence: 'doubt', message: "the answer's event stream ended before the answer came, and it cannot be resumed",
    });
  });
});

/** What becomes of a stream when asking fails so often with this, and succeeds then. */
async function failing(times: number, failure: Error): Promise<Awaited<ReturnType<typeof follow>> & { tries: number; troubles: unknown[] }> {
  const troubles: unknown[] = [];
  let tries = 0;
  const followed = await follow([], {
    open: () => {
      tries += 1;
      if (tries <= times) return Promise.reject(failure);
      return tries === times + 1 ? Promise.resolve(brings('')) : Promise.reject(new Error('enough'));
    },
    onTrouble: (trouble) => troubles.push(trouble),
  });
  return { ...followed, tries, troubles };
}

describe('a stream that cannot be had', () => {
  const passing = new HttpFailure('not now', { evidence: 'none', isPassing: true });

  it('is asked for again as often as is allowed, and then may have missed something', async () => {
    expect(await failing(2, passing)).toMatchObject({ tries: 4, troubles: [passing, passing], gaps: [true], failure: { message: 'enough' } });
  });

  it('is given up after so many failures in a row', async () => {
    expect(await failing(3, passing)).toMatchObject({ tries: 3, troubles: [passing, passing], failure: passing });
  });

  it('is given up at once where the failure will not pass, or is another', async () => {
    const refused = new HttpFailure('never', { evidence: 'none' });
    expect(await failing(1, refused)).toMatchObject({ tries: 1, troubles: [], failure: refused });
    expect(await failing(1, new TypeError('a defect'))).toMatchObject({ tries: 1, troubles: [], failure: { message: 'a defect' } });
  });
});

it('ends at an event that is too long, before it is whole', async () => {
  expect((await follow([brings(`data: ${'x'.repeat(2_000)}`)], { mayBeginAnew: false })).failure).toMatchObject({ code: 'limit-exceeded', executed: 'unknown' });
});
