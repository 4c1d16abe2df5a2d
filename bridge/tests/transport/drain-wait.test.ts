import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { DrainWait } from '../../src/transport/drain-wait.ts';

const listeners = (pipe: PassThrough): readonly number[] => ['drain', 'close'].map((event) => pipe.listenerCount(event));

it('is one wait for all until the pipe takes more, and leaves no listener (B27)', async () => {
  const pipe = new PassThrough();
  const before = listeners(pipe);
  const wait = new DrainWait();
  const first = wait.until(pipe);
  expect(wait.until(pipe)).toBe(first);
  pipe.emit('drain');
  await first;
  expect(listeners(pipe)).toEqual(before);
  expect(wait.until(pipe)).not.toBe(first);
});

it('ends when the pipe is closed', async () => {
  const pipe = new PassThrough();
  const closed = new DrainWait().until(pipe);
  pipe.destroy();
  await expect(closed).resolves.toBeUndefined();
});
