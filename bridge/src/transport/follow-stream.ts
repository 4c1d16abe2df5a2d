/**
 * Follows an event stream over its losses (B10, R49): reads it, waits, asks for it again with the id of the last event. A
 * request is never sent again: resuming is a GET, and what cannot be resumed ends here (B04, B05).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { BridgeError, describeError } from '../errors.ts';
import { readEventStream, type EventLimits } from './event-stream.ts';
import { HttpFailure } from './http-failure.ts';
import { ignore } from './ignore.ts';
import { StreamPace, type PaceLimits } from './stream-pace.ts';

/** Bounds of a stream. */
export interface StreamLimits extends PaceLimits, EventLimits {
  /** Failures in a row to get the stream again before it is given up. */
  readonly maxStreamAttempts: number;
}

/** One stream to follow. */
export interface FollowOptions {
  /** The stream, when it is there already. */
  readonly first?: ReadableStream<Uint8Array> | undefined;
  /** Asks for it. Rejects with an `HttpFailure` when it is refused or nobody answers. */
  readonly open: (lastEventId: string | undefined) => Promise<ReadableStream<Uint8Array>>;
  /** Whether a stream that never had an id may be asked for again: one for notices, not one for an answer. */
  readonly mayBeginAnew: boolean;
  readonly onData: (data: string) => void;
  /** It was opened by `open`; `isGap` when something may have been missed since the last one. */
  readonly onOpened: (isGap: boolean) => void;
  /** A failure that will be got over: it will be asked for again. */
  readonly onTrouble: (failure: BridgeError) => void;
  /** Whether nothing more is expected of it. */
  readonly isDone: () => boolean;
  /** Ends everything. */
  readonly signal: AbortSignal;
  readonly limits: StreamLimits;
  readonly now: () => number;
}

/**
 * Resolves when nothing more is expected, or the signal aborts.
 * @throws BridgeError `limit-exceeded`, or {@link HttpFailure} when the stream ended and cannot be had again
 */
export async function followStream(options: FollowOptions): Promise<void> {
  const { signal, limits } = options;
  const pace = new StreamPace(limits);
  let body = options.first;
  let lastEventId: string | undefined;
  let isFirst = true;
  let failures = 0;
  for (;;) {
    try {
      if (body === undefined) {
        body = await options.open(lastEventId);
        options.onOpened(!isFirst && lastEventId === undefined);
      }
      isFirst = false;
      failures = 0;
      const begunAtMs = options.now();
      const broke = await readToEnd(body, limits, {
        onId: (id) => (lastEventId = id),
        onRetry: (retryMs) => pace.asked(retryMs),
        onData: (data) => {
          // What was read before is still given out in turns.
          if (signal.aborted) return;
          pace.prospered();
          options.onData(data);
        },
      });
      body = undefined;
      if (signal.aborted || options.isDone()) return;
      if (broke instanceof BridgeError) {
        if (!options.mayBeginAnew) throw broke;
        // Resumed, it would bring the same event again.
        lastEventId = undefined;
        options.onTrouble(broke);
      }
      if (lastEventId === undefined && !options.mayBeginAnew) throw endedWithoutAnswer(broke);
      if (options.now() - begunAtMs >= limits.maxStreamRetryMs) pace.prospered();
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      isFirst = false;
      if (!(error instanceof HttpFailure) || !error.isPassing || failures >= limits.maxStreamAttempts) throw error;
      options.onTrouble(error);
    }
    await pause(pace.nextMs(), undefined, { signal, ref: false }).catch(ignore);
    if (signal.aborted || options.isDone()) return;
  }
}

/** What broke the stream; `undefined` when it ended as streams do. */
async function readToEnd(...args: Parameters<typeof readEventStream>): Promise<unknown> {
  try {
    await readEventStream(...args);
    return undefined;
  } catch (error) {
    return error ?? 'no reason given';
  }
}

function endedWithoutAnswer(broke: unknown): HttpFailure {
  const how = broke === undefined ? 'ended' : `broke (${describeError(broke)})`;
  return new HttpFailure(`the answer's event stream ${how} before the answer came, and it cannot be resumed`, { cause: broke, executed: 'unknown', evidence: 'doubt' });
}
