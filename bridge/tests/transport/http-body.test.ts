import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { discard, readBounded, readSnippet } from '../../src/transport/http-body.ts';

/** A body that comes in pieces. */
function pieces(...texts: readonly string[]): ReadableStream<Uint8Array> {
  const waiting = texts.map((text) => new TextEncoder().encode(text));
  return new ReadableStream({
    pull: (stream) => {
      const next = waiting.shift();
      if (next === undefined) stream.close();
      else stream.enqueue(next);
    },
  });
}

describe('a JSON body', () => {
  it.each([
    ['that says its length', () => new Response('12345', { headers: { 'content-length': '5' } })],
    ['that says none', () => new Response(pieces('12', '345'))],
    ['whose length is the one of its compressed form', () => new Response(pieces('12345'), { headers: { 'content-length': '2', 'content-encoding': 'gzip' } })],
  ])('%s is read up to the limit', async (_what, answer) => {
    expect(await readBounded(answer(), 5)).toBe('12345');
  });

  it.each([
    ['that says its length', () => new Response(pieces('123456'), { headers: { 'content-length': '6' } })],
    ['that says none', () => new Response(pieces('123', '456', 'and so on'))],
    ['that fills the limit', () => new Response(pieces('12345', '6'))],
    ['whose length is the one of its compressed form', () => new Response(pieces('123456'), { headers: { 'content-length': '2', 'content-encoding': 'gzip' } })],
  ])('%s and is longer fails', async (_what, answer) => {
    await expect(readBounded(answer(), 5)).rejects.toMatchObject({ code: 'limit-exceeded', executed: 'yes', message: expect.stringContaining('`maxMessageBytes` (5)') as unknown });
  });

  it('that is longer is read no further, and given up (B01)', async () => {
    let read = 0;
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        read += 1;
        if (read === 1_000) stream.close();
        else stream.enqueue(new TextEncoder().encode('123'));
      },
      cancel,
    });
    await expect(readBounded(new Response(body), 5)).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(read).toBeLessThan(10);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('is waited for however slowly it comes', async () => {
    const body = pieces('12', '345');
    const slow = body.pipeThrough(
      new TransformStream({
        transform: async (piece, stream) => {
          // Longer than the shortest timer, so that a timer that should not be there goes first.
          await pause(20);
          stream.enqueue(piece);
        },
      }),
    );
    expect(await readBounded(new Response(slow), 5)).toBe('12345');
  });

  it('that is none is empty', async () => {
    expect(await readBounded(new Response(null), 5)).toBe('');
  });
});

describe('the beginning of an error', () => {
  it('is what comes in time', async () => {
    const never = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new TextEncoder().encode('half')) });
    expect(await readSnippet(new Response(never), 10)).toBe('half');
  });

  it('leaves no timer behind when it came in time', async () => {
    vi.useFakeTimers();
    try {
      expect(await readSnippet(new Response('whole'), 1_000)).toBe('whole');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps no program alive that waits for it (B07)', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const reading = readSnippet(new Response(new ReadableStream()), 50);
    expect(timers).toHaveReturnedWith(expect.toSatisfy((timer: NodeJS.Timeout) => !timer.hasRef()));
    timers.mockRestore();
    expect(await reading).toBe('');
  });

  it('is nothing where the connection breaks', async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (stream) => stream.error(new Error('reset')) });
    expect(await readSnippet(new Response(broken), 1_000)).toBe('');
  });
});

it('gives a body up that nobody reads', () => {
  const cancel = vi.fn();
  discard(new Response(new ReadableStream({ cancel })));
  expect(cancel).toHaveBeenCalledOnce();
});

it('gives up a body that cannot be given up', () => {
  const response = new Response('x');
  response.body?.getReader();
  discard(response);
  discard(new Response(null));
});
