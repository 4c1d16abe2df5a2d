import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { passOn } from '../../src/proxy/pass-on.ts';

const deaf = { look: (): void => undefined, end: (): void => undefined };

/** A sink that takes one chunk at a time, and none before `read`. */
function slowSink(): { sink: Writable; taken: string[]; read: () => void } {
  const taken: string[] = [];
  let isRead = false;
  let go: (() => void) | undefined;
  const sink = new Writable({
    highWaterMark: 64,
    write(chunk: Buffer, _encoding, done) {
      const take = (): void => {
        taken.push(chunk.toString());
        done();
      };
      if (isRead) setImmediate(take);
      else go = take;
    },
  });
  const read = (): void => {
    isRead = true;
    go?.();
  };
  return { sink, taken, read };
}

describe('passing bytes on to a slow reader', () => {
  it('keeps what still waits when the source has ended', async () => {
    const source = new PassThrough();
    const { sink, taken, read } = slowSink();
    const passage = passOn(source, sink, deaf);
    source.write('first ');
    await vi.waitFor(() => expect(sink.writableLength).toBe(6));
    source.end('and last');
    await vi.waitFor(() => expect(sink.writableEnded).toBe(true));
    const finished = passage.finished(1, 1);
    // The sink would have been told of a wrong write by now.
    await new Promise((resolve) => setImmediate(resolve));
    read();
    await finished;
    expect(taken.join('')).toBe('first and last');
    expect(sink.errored).toBe(null);
  });

  it('reads the rest of a source that its sink holds up, for longer than a quiet source is waited for', async () => {
    const source = new PassThrough();
    const { sink, taken, read } = slowSink();
    const passage = passOn(source, sink, deaf);
    source.write('x'.repeat(64));
    await vi.waitFor(() => expect(source.isPaused()).toBe(true));
    for (let each = 0; each < 9; each += 1) source.write('y'.repeat(64));
    let isFinished = false;
    const finished = (async () => {
      await passage.finished(1, 2);
      isFinished = true;
    })();
    // Past both bounds, which count from now.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isFinished).toBe(false);
    read();
    await finished;
    expect(taken.join('')).toBe('x'.repeat(64) + 'y'.repeat(9 * 64));
  });

  it('stops waiting for a sink that closes', async () => {
    const source = new PassThrough();
    const { sink } = slowSink();
    const passage = passOn(source, sink, deaf);
    source.write('x'.repeat(64));
    await vi.waitFor(() => expect(source.isPaused()).toBe(true));
    const finished = passage.finished(1, 1);
    sink.destroy();
    await finished;
    expect(source.destroyed).toBe(true);
  });
});
