import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_KEPT_MESSAGES, MAX_REPLAY_EVENTS } from '../../../src/carriers/streamable-http/bounds.ts';
import { DEFAULT_HTTP_OPTIONS } from '../../../src/carriers/streamable-http/defaults.ts';
import { createEventStream, type StreamConnection } from '../../../src/carriers/streamable-http/event-stream.ts';
import { createBudget, createReplayBuffer, type Budget } from '../../../src/carriers/streamable-http/replay.ts';
import { eventText, primingText } from '../../../src/carriers/streamable-http/sse.ts';
import { createOutput } from '../../../src/carriers/output.ts';
import { misfits } from '../../../src/scenario/carrier.ts';
import { checkScenario } from '../../../src/scenario/check.ts';
import { HTTP_ACTIONS } from '../../../src/scenario/http-actions.ts';
import { httpOptions } from '../../../src/scenario/http-options.ts';
import type { Action } from '../../../src/scenario/schema.ts';

/** A connection that keeps what is sent. */
function reader(): StreamConnection & { readonly texts: string[]; ended: boolean } {
  const texts: string[] = [];
  const output = { ...createOutput(new PassThrough()), send: (text: string) => void texts.push(text) };
  const connection = { texts, ended: false, retryMs: undefined, output, end: () => void (connection.ended = true) };
  return connection;
}

const stream = (budget: Budget, keeps = true, replay = createReplayBuffer(budget)): ReturnType<typeof createEventStream> =>
  createEventStream({ number: 1, replay, keeps: () => keeps, budget });

describe('events', () => {
  it('are written line by line, with what they carry', () => {
    expect(eventText('{}', undefined, {})).toBe('event: message\ndata: {}\n\n');
    expect(eventText('"\u2028"', { bom: true, crlf: true }, { id: '1-1', retryMs: 5 })).toBe('\uFEFFid: 1-1\r\nretry: 5\r\nevent: message\r\ndata: "\\u2028"\r\n\r\n');
    expect(eventText('{"a":"x,\\","}', { event: { lines: true } }, {})).toBe('event: message\ndata: {"a":"x,\\","}\n\n');
    expect(eventText('{"a":1,"b":2}', { event: { comments: true, lines: true, spaceless: true, unnamed: true } }, { id: '1-1' }))
      .toBe(': keep-alive\n\nid:1-1\n: keep-alive\ndata:{"a":1,\n: keep-alive\ndata:"b":2}\n\n');
    expect(primingText({ id: '1-1' })).toBe('id: 1-1\ndata: \n\n');
  });
});

describe('what finds no reader', () => {
  it('waits in order, up to a number and a sum of bytes that all streams share', () => {
    const budget = createBudget(1_000_000);
    const one = stream(budget);
    for (let index = 0; index < MAX_KEPT_MESSAGES + 50; index += 1) one.send(`"${index}"`, undefined);
    const other = stream(budget);
    other.send('x'.repeat(999_990), undefined);
    const late = reader();
    one.attach(late, undefined);
    expect([late.texts.length, late.texts[0], late.texts.at(-1)]).toEqual([MAX_KEPT_MESSAGES, '"0"', `"${MAX_KEPT_MESSAGES - 1}"`]);
    other.send('x'.repeat(999_990), undefined);
    const second = reader();
    other.attach(second, undefined);
    expect(second.texts).toHaveLength(1);
    expect(budget.take(999_999)).toBe(true);
  });

  it('is lost if nobody keeps it, and ends with a stream that is finished', () => {
    const one = stream(createBudget(10), false);
    one.send('x', undefined);
    one.finish();
    const late = reader();
    one.attach(late, undefined);
    expect([late.texts, late.ended]).toEqual([[], true]);
  });
});

describe('the replay buffer', () => {
  it('keeps the newest events, and gives their bytes back', () => {
    const budget = createBudget(1_000_000);
    const replay = createReplayBuffer(budget);
    for (let seq = 1; seq <= 5 * MAX_REPLAY_EVENTS; seq += 1) replay.add({ stream: 1, seq, text: '0123456789' });
    expect(replay.knows(1, 1)).toBe(false);
    expect(replay.after(1, 5 * MAX_REPLAY_EVENTS - 2)).toHaveLength(2);
    expect(replay.after(2, 0)).toEqual([]);
    replay.add({ stream: 2, seq: 1, text: 'x'.repeat(999_999) });
    expect([replay.knows(1, 5 * MAX_REPLAY_EVENTS), replay.knows(2, 1)]).toEqual([false, true]);
    replay.clear();
    expect(budget.take(1_000_000)).toBe(true);
  });
});

describe('the words of HTTP', () => {
  it('have the defaults that the schema says', () => {
    expect(DEFAULT_HTTP_OPTIONS).toEqual(httpOptions.parse({}));
  });

  const examples: Action[] = [
    { respond: { status: 404 } }, { redirect: { to: 'self', status: 307 } }, { openStream: {} }, { closeStream: 'listen' }, { cut: 'request' },
    { reset: 'all' }, { closeSession: true }, { down: true }, { up: true }, { restart: true },
  ];

  it('are all refused on stdio, with the fix, and so is what only stdio has over HTTP', () => {
    expect(new Set(examples.flatMap((action) => Object.keys(action)))).toEqual(HTTP_ACTIONS);
    const more: Action[] = [{ raw: { text: 'x', to: 'connection' } }, { default: { frame: { stream: 'listen' } } }];
    const scenario = checkScenario({ scenario: 1, rules: [{ when: { method: 'x' }, do: [...examples, ...more] }, { when: { http: 'any' }, do: [{ drop: true }] }] });
    expect(misfits(scenario, 'streamable-http')).toEqual([]);
    const found = misfits(scenario, 'stdio');
    expect(found).toHaveLength(examples.length + more.length + 1);
    for (const { message } of found) expect(message).toContain('is for the carrier streamable-http; serve it there, or ');
    const held = checkScenario({ scenario: 1, rules: [{ when: { method: 'x' }, do: [{ spawn: { holdStdio: true } }] }] });
    expect([misfits(held, 'stdio'), misfits(held, 'streamable-http')]).toMatchObject([[], [{ message: expect.stringContaining('is for the carrier stdio') }]]);
  });

  it.each([
    [{ rules: [{ when: { signal: 's' }, do: [{ respond: { status: 404 } }] }] }, 'rules[0].do[0]: `respond` is about a request, and this rule has none'],
    [{ rules: [{ when: { http: 'POST' }, do: [{ reply: { result: 1 } }] }] }, '`reply` answers a request, and this rule has none'],
    [{ rules: [{ when: { http: 'GET' }, do: [{ redirect: { to: 'evil', status: 302 } }] }] }, 'rules[0].do[0].redirect.to: no origin `evil` in `http.origins`; there: `self`'],
    [{ rules: [{ when: { method: 'x', origin: 'self' }, do: [{ drop: true }] }] }, 'rules[0].when.origin: goes with http'],
    [{ rules: [{ when: { http: 'GET', origin: 'o' }, do: [{ drop: true }] }] }, 'rules[0].when.origin: no origin `o`'],
    [{ http: { origins: ['a', 'a'] } }, 'http.origins[1]: the origin `a` is there already'],
    [{ rules: [{ when: { http: 'GET' }, do: [{ respond: { status: 200, headers: { 'a b': 'x' } } }] }] }, 'headers["a b"]: is no name of a header field'],
    [{ rules: [{ when: { http: 'GET' }, do: [{ respond: { status: 200, headers: { a: 'x\r\ny: z' } } }] }] }, 'headers.a: cannot be the value of a header field'],
    [{ rules: [{ when: { http: 'GET' }, do: [{ respond: { status: 100 } }] }] }, 'respond.status: expected at least 200'],
    [{ rules: [{ when: { http: 'PUT' }, do: [{ drop: true }] }] }, 'rules[0].when.http: expected "GET" or "POST" or "DELETE" or "any"'],
  ])('that cannot work are refused with their place: %j', (rest, message) => {
    expect(() => checkScenario({ scenario: 1, ...rest })).toThrow(message);
  });
});
