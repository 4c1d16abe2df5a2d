/** How long a call may be silent whose server can tell of progress (B11, R38). */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSilence } from '../../src/transport/progress-watch.ts';
import type { SentRequest } from '../../src/transport/sent-request.ts';
import { bench, odd, request, type Bench } from './wire-bench.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call that is watched for a second of silence. */
async function watched(): Promise<Bench & { readonly call: SentRequest; readonly end: () => void }> {
  const made = await bench();
  await made.wire.send(request(1));
  const call = made.wire.takeLastSent();
  if (call === undefined) throw new Error('cannot be');
  return { ...made, call, end: watchSilence(made.wire, call, { token: 7, silenceMs: 1_000 }) };
}

it('gives a silent call up and tells the server why, each notice of progress beginning the time anew', async () => {
  const { call, inner, sent } = await watched();
  await vi.advanceTimersByTimeAsync(999);
  inner.onmessage?.(odd({ method: 'notifications/progress', params: { progressToken: 7 } }));
  await vi.advanceTimersByTimeAsync(999);
  expect(call.outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(call.outcome).toEqual({ kind: 'silent' });
  expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'neither an answer nor progress within the time' } });
});

it('leaves nothing behind when it ends', async () => {
  const { end, inner } = await watched();
  end();
  inner.onmessage?.(odd({ method: 'notifications/progress', params: { progressToken: 7 } }));
  expect(vi.getTimerCount()).toBe(0);
});
