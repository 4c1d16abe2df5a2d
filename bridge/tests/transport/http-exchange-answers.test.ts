/** What of an answer over HTTP is handed on, and what a request says that brought none (B04, B05, B06). */
import { describe, expect, it } from 'vitest';
import { MAX_TIMER_MS, resolveConnectionLimits } from '../../src/connection-limits.ts';
import { HttpEndpoint } from '../../src/transport/http-endpoint.ts';
import { HttpExchange } from '../../src/transport/http-exchange.ts';
import { watchTimers } from './watch-timers.ts';

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';

interface Asked {
  readonly exchange: HttpExchange;
  readonly run: Promise<void>;
  /** What came of it; set when it is over. */
  readonly failure: Promise<unknown>;
  readonly delivered: object[];
  readonly noise: string[];
  /** The methods of what was sent. */
  readonly sent: string[];
}

/** Asks and meets these answers, one after the other, then nothing for ever; what names the request answers it. */
function ask(answers: Response[], { hasNoticeStream = false, ...more }: { hasNoticeStream?: boolean; maxMessageBytes?: number; maxMessageValues?: number } = {}): Asked {
  const delivered: object[] = [];
  const noise: string[] = [];
  const sent: string[] = [];
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    sent.push(String(init?.method));
    const next = answers.shift();
    return next === undefined ? new Promise(() => {}) : Promise.resolve(next);
  };
  const endpoint = new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers: {}, fetch, errorBodyTimeoutMs: 1_000, sessionLostOn400: true });
  const limits = resolveConnectionLimits({ streamRetryMs: 10, ...more });
  const exchange: HttpExchange = new HttpExchange(
    {
      endpoint, limits, now: () => 0,
      deliver: (message) => {
        delivered.push(message);
        if ('id' in message && message.id === 1) exchange.answered();
      },
      onTrouble: () => {}, hasNoticeStream: () => hasNoticeStream, onNoise: (what) => noise.push(what),
    },
    1,
  );
  const run = exchange.run('{}', true, () => {});
  return { exchange, run, failure: run.catch((error: unknown) => error), delivered, noise, sent };
}

const json = (text: string): Response => new Response(text, { headers: { 'content-type': 'application/json' } });
const events = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

describe('an answer over HTTP', () => {
  it('that is whole ends the request, and its stream is not asked for again', async () => {
    const { run, delivered, sent } = ask([events(`id: 7\ndata: ${ANSWER}\n\n`)]);
    await run;
    expect([delivered, sent]).toEqual([[JSON.parse(ANSWER)], ['POST']]);
  });

  it.each([
    ['no id', { error: {} }, 1],
    ['an id that is null', { id: null, error: {} }, 1],
    ['the id of another', { id: 99, error: {} }, 99],
  ])('that is an error with %s is about its request unless it names another', async (_what, error, id) => {
    const { failure, delivered } = ask([json(JSON.stringify(error))]);
    await failure;
    expect(delivered).toEqual([{ ...error, id }]);
  });

  it.each([
    ['[', [], /^the server sent something that is no JSON \(.*JSON/],
    [`[1,${ANSWER},null]`, [JSON.parse(ANSWER)], /^the server sent JSON that is no message$/],
  ])('is handed on as far as it is one: %s', async (text, messages, words) => {
    const { failure, delivered, noise } = ask([json(text)]);
    await failure;
    expect(delivered).toEqual(messages);
    expect(noise).toEqual([expect.stringMatching(words)]);
  });

  it('makes no noise when it is one', async () => {
    const { run, noise } = ask([json(`[${ANSWER}]`)]);
    await run;
    expect(noise).toEqual([]);
  });
});

describe('a request over HTTP without an answer', () => {
  it('says that it was another, and that this proves nothing of the connection', async () => {
    expect(await ask([json('{"jsonrpc":"2.0","method":"x"}')]).failure).toMatchObject({
      executed: 'unknown', evidence: 'none', message: 'the server gave no answer: what came as JSON is no answer to this request',
    });
  });

  it('says that it broke off, and that the connection may be gone', async () => {
    const broken = new Response(new ReadableStream({ start: (stream) => stream.error(new Error('reset')) }), { headers: { 'content-type': 'application/json' } });
    expect(await ask([broken]).failure).toMatchObject({ executed: 'unknown', evidence: 'doubt', message: 'the server gave no answer: the answer broke off (reset)' });
  });

  it('says that it was too long', async () => {
    expect(await ask([json(`${ANSWER}${' '.repeat(100)}`)], { maxMessageBytes: 50 }).failure).toMatchObject({ code: 'limit-exceeded', executed: 'yes' });
  });

  it('says that it held too many values (B01)', async () => {
    const { failure, delivered } = ask([json('[0,0,0,0,0,0,0,0,0]')], { maxMessageValues: 3 });
    expect(await failure).toMatchObject({ code: 'limit-exceeded', executed: 'yes', message: expect.stringContaining('`maxMessageValues` (3)') as unknown });
    expect(delivered).toEqual([]);
  });

  it('says that its stream is refused, which says nothing of what the server has run (B04)', async () => {
    expect(await ask([events('id: 7\ndata:\n\n'), new Response('no', { status: 404 })]).failure).toMatchObject({
      executed: 'unknown', evidence: 'doubt', httpStatus: 404, message: expect.stringMatching(/^the answer's event stream was lost and cannot be resumed: status 404: /) as unknown,
    });
  });

  it('says what came in place of its stream', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    expect(await ask([events('id: 7\ndata:\n\n'), page]).failure).toMatchObject({ executed: 'unknown', evidence: 'none', message: 'http://localhost answered with a web page, not with an event stream' });
  });
});

it('waits for an answer by the stream for notices until it is given up, and keeps no program alive for it (B07)', async () => {
  const timers = watchTimers(MAX_TIMER_MS);
  const { exchange, run } = ask([new Response(null, { status: 202 })], { hasNoticeStream: true });
  await exchange.heard;
  await new Promise((resolve) => setImmediate(resolve));
  expect(timers()).toEqual([false]);
  exchange.giveUp();
  await run;
  expect(timers()).toEqual([]);
});

it('begins no wait for the rest of what is over', async () => {
  const { answerDrainMs } = resolveConnectionLimits();
  const timers = watchTimers(answerDrainMs);
  const over = ask([json('{}')]);
  await over.failure;
  over.exchange.answered();
  const { exchange, run } = ask([]);
  exchange.giveUp();
  exchange.answered();
  await run;
  expect(timers()).toEqual([]);
});
