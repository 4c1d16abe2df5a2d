import { expect, it } from 'vitest';
import { followStream, type FollowOptions } from '../../src/transport/follow-stream.ts';
import { HttpFailure } from '../../src/transport/http-failure.ts';

/** A stream that brings this and ends. */
function brings(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => {
      stream.enqueue(new TextEncoder().encode(text));
      stream.close();
    },
  });
}

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
    limits: { streamRetryMs: 1, maxStreamRetryMs: 40, maxStreamAttempts: 3, maxMessageBytes: 1_000, maxMessageValues: 100 },
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
    limits: { streamRetryMs: 30, maxStreamRetryMs: 1_000, maxStreamAttempts: 3, maxMessageBytes: 1_000, maxMessageValues: 100 },
  });
  expect(asked).toHaveLength(9);
  // Eight waits of 30 ms; with doubling they would take more than four seconds.
  expect(performance.now() - begunAtMs).toBeLessThan(3_000);
});

it('says that a stream broke even where nobody says why', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (stream) => stream.error() });
  expect((await follow([broken], { mayBeginAnew: false })).failure).toMatchObject({ executed: 'unknown', message: expect.stringContaining('broke (no reason given)') as unknown });
});

it('gives up a wait at once', async () => {
  const end = new AbortController();
  const followed = follow([brings('retry: 60000\n\n')], { signal: end.signal, limits: { streamRetryMs: 60_000, maxStreamRetryMs: 60_000, maxStreamAttempts: 3, maxMessageBytes: 1_000, maxMessageValues: 100 } });
  setImmediate(() => end.abort());
  expect((await followed).failure).toBeUndefined();
});

it('ends at an event that is too long, before it is whole', async () => {
  expect((await follow([brings(`data: ${'x'.repeat(2_000)}`)], { mayBeginAnew: false })).failure).toMatchObject({ code: 'limit-exceeded', executed: 'unknown' });
});
