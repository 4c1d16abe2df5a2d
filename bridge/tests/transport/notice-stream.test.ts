/** When the stream for notices counts as open, what its end says, and that it can be ended (B10, R48). */
import { expect, it, vi } from 'vitest';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { HttpEndpoint } from '../../src/transport/http-endpoint.ts';
import { NoticeStream } from '../../src/transport/notice-stream.ts';

interface Followed {
  readonly notices: NoticeStream;
  readonly reports: string[];
  readonly troubles: unknown[];
  readonly signals: (AbortSignal | undefined)[];
}

/** A stream that meets these answers, one after the other, then nothing for ever. */
function streamOf(answers: Response[]): Followed {
  const reports: string[] = [];
  const troubles: unknown[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    signals.push(init?.signal ?? undefined);
    const next = answers.shift();
    return next === undefined ? new Promise(() => {}) : Promise.resolve(next);
  };
  const notices = new NoticeStream({
    endpoint: new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers: {}, fetch, errorBodyTimeoutMs: 1_000, sessionLostOn400: true }),
    limits: resolveConnectionLimits({ streamRetryMs: 10 }),
    now: () => 0,
    deliver: () => {}, onGap: () => {}, onNoise: () => {},
    onTrouble: (failure) => troubles.push(failure),
    report: (level, message) => reports.push(`${level}: ${message}`),
  });
  return { notices, reports, troubles, signals };
}

const events = (body: string | ReadableStream): Response => new Response(body, { headers: { 'content-type': 'text/event-stream' } });

it('is open from its answer to its end, and no more until the next one', async () => {
  const { readable, writable } = new TransformStream();
  const { notices, signals } = streamOf([events(readable)]);
  expect(notices.isOpen).toBe(false);
  void notices.run();
  await vi.waitFor(() => expect(notices.isOpen).toBe(true), { interval: 1 });
  await writable.close();
  await vi.waitFor(() => expect(signals).toHaveLength(2), { interval: 1 });
  expect(notices.isOpen).toBe(false);
  notices.stop();
});

it('ends with its request when it is stopped', async () => {
  const { notices, signals } = streamOf([events('')]);
  const run = notices.run();
  await vi.waitFor(() => expect(signals).toHaveLength(2), { interval: 1 });
  notices.stop();
  expect(signals[1]?.aborted).toBe(true);
  // Asked for before it is known to be stopped, it would be followed for ever.
  const stopped = streamOf([events('')]);
  stopped.notices.stop();
  await stopped.notices.run();
  expect(stopped.signals).toHaveLength(1);
  void run;
});

it('is none where the answer is no stream, and is missed where there was one', async () => {
  const words = 'status 200 without an event stream';
  const none = streamOf([new Response('{}')]);
  await none.notices.run();
  expect([none.reports, none.troubles]).toEqual([[`debug: the server offers no event stream (${words}); list changes are seen at the next connection`], []]);
  const lost = streamOf([events(''), new Response('{}')]);
  await lost.notices.run();
  expect(lost.reports).toEqual([`warn: the event stream of the server cannot be had (${words}); list changes are seen at the next connection`]);
  expect(lost.troubles).toMatchObject([{ evidence: 'none', message: words }]);
});
