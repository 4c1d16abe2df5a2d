/** How one request over HTTP ends when it is given up: at once and whole, whatever its stream does (B05, B07). */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { deferred } from '../../src/transport/deferred.ts';
import { HttpEndpoint } from '../../src/transport/http-endpoint.ts';
import { HttpExchange } from '../../src/transport/http-exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** An exchange over a `fetch` that takes no notice of its signal, with an event stream that never ends. */
function begin(answer: (body: ReadableStream<Uint8Array>) => Promise<Response> = stream): { exchange: HttpExchange; delivered: unknown[]; accepted: Response[]; run: Promise<void>; bring: (isJson?: boolean) => void } {
  const delivered: unknown[] = [];
  const accepted: Response[] = [];
  let events: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (events = controller) });
  const endpoint = new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers: {}, fetch: () => answer(body), errorBodyTimeoutMs: 10, sessionLostOn400: true });
  const exchange = new HttpExchange(
    { endpoint, limits: resolveConnectionLimits(), now: () => 0, deliver: (message) => delivered.push(message), onTrouble: () => {}, hasNoticeStream: () => false, onNoise: () => {} },
    1,
  );
  const bring = (isJson = false): void => {
    events?.enqueue(new TextEncoder().encode(isJson ? ANSWER : `data: ${ANSWER}\n\n`));
    if (isJson) events?.close();
  };
  return { exchange, delivered, accepted, run: exchange.run('{}', true, (response) => accepted.push(response)), bring };
}

function stream(body: ReadableStream<Uint8Array>): Promise<Response> {
  return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
}

it('is over at once when it is given up, though its stream forgets that it is read', async () => {
  const { exchange, run, accepted, delivered, bring } = begin();
  await exchange.heard;
  exchange.giveUp();
  await run;
  bring();
  await vi.advanceTimersByTimeAsync(1);
  expect({ accepted: accepted.length, delivered }).toEqual({ accepted: 1, delivered: [] });
});

it('leaves no timer behind when it is given up after its answer, nor when the answer comes after that', async () => {
  const { exchange, run, bring, delivered } = begin();
  await exchange.heard;
  bring();
  await vi.advanceTimersByTimeAsync(0);
  expect(delivered).toHaveLength(1);
  exchange.answered();
  expect(vi.getTimerCount()).toBe(1);
  exchange.giveUp();
  expect(vi.getTimerCount()).toBe(0);
  await run;
  exchange.answered();
  expect(vi.getTimerCount()).toBe(0);
});

it('ends by itself some time after its answer', async () => {
  const { exchange, run } = begin();
  await exchange.heard;
  exchange.answered();
  await vi.advanceTimersByTimeAsync(resolveConnectionLimits().answerDrainMs);
  await run;
  expect(vi.getTimerCount()).toBe(0);
});

it('takes nothing of an answer that begins after it was given up', async () => {
  const late = deferred<Response>();
  const cancelled = vi.fn();
  const { exchange, run, accepted } = begin(() => late.promise);
  exchange.giveUp();
  await run;
  late.resolve(new Response(new ReadableStream({ cancel: cancelled }), { headers: { 'content-type': 'text/event-stream' } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(accepted).toEqual([]);
  expect(cancelled).toHaveBeenCalled();
});

it('takes nothing of an answer in JSON that was read on after it was given up', async () => {
  const { exchange, run, delivered, bring } = begin((body) => Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json', 'content-length': '1' } })));
  await exchange.heard;
  exchange.giveUp();
  await run;
  bring(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(delivered).toEqual([]);
});

it('throws nothing when it fails after its answer came another way, and leaves no timer behind', async () => {
  const late = deferred<Response>();
  const { exchange, run } = begin(() => late.promise.then(() => Promise.reject(new Error('too late'))));
  exchange.answered();
  late.resolve(new Response());
  await expect(run).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

it('throws nothing to anybody when its answer breaks after it was given up', async () => {
  const late = deferred<Response>();
  const { exchange, run } = begin(() => late.promise.then(() => Promise.reject(new Error('too late'))));
  exchange.giveUp();
  await expect(run).resolves.toBeUndefined();
  late.resolve(new Response());
  await vi.advanceTimersByTimeAsync(0);
});
