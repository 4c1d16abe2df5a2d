/** What one stream of events may cost, however it is cut and whatever is in it (B01, B19). */
import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readEventStream } from '../../src/transport/event-stream.ts';

vi.mock('eventsource-parser', { spy: true });

const LIMITS = { maxMessageBytes: 100_000, maxMessageValues: 100 };
let timeMs = 0;
beforeEach(() => {
  timeMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => timeMs);
});
afterEach(() => void vi.restoreAllMocks());

/** A stream of these chunks, and the data it brought. */
async function read(chunks: Iterable<string>, onData: (data: string) => void = () => {}): Promise<string[]> {
  const data: string[] = [];
  const waiting = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      const next = waiting.next();
      if (next.done === true) stream.close();
      else stream.enqueue(new TextEncoder().encode(next.value));
    },
  });
  const handlers = {
    onData: (text: string) => {
      data.push(text);
      onData(text);
    },
    onId: () => {},
    onRetry: () => {},
  };
  await readEventStream(body, LIMITS, handlers);
  return data;
}

it('lets others have their turn after events that take long together', async () => {
  const seen: string[] = [];
  const event = `data: ${'x'.repeat(2_040)}\n\n`;
  await read([event.repeat(6)], (data) => {
    seen.push(data.slice(0, 1));
    timeMs += 3;
    setImmediate(() => {
      if (seen.at(-1) !== 'other') seen.push('other');
    });
  });
  // Two or so to a piece; a turn is over once ten milliseconds are.
  expect(seen.join(' ')).toMatch(/^(x ){4,5}other( x){1,2}/);
  expect(seen.filter((what) => what === 'x')).toHaveLength(6);
});

it('keeps no piece of a line for each letter that comes', async () => {
  const feed = vi.fn();
  vi.mocked(createParser).mockReturnValueOnce({ feed, reset: () => {} });
  await read('x'.repeat(20_000));
  expect(feed).toHaveBeenCalledTimes(4);
  expect(feed.mock.calls.flat().join('')).toBe('x'.repeat(4 * 4_096));
});

it('takes an event letter by letter, and in as many lines as it has values', async () => {
  expect(await read('data: a\n\ndata: b\r\n\r\n')).toEqual(['a', 'b']);
  const text = JSON.stringify(Array.from({ length: 90 }, () => 1), undefined, 1);
  const event = `${text.replaceAll(/^/gm, 'data: ')}\n\n`;
  expect(await read([event, event, ...Array.from(event), event])).toEqual([text, text, text, text]);
});

it('gives out nothing after an event that is refused', async () => {
  const seen: string[] = [];
  const refused = `data: [${'0,'.repeat(200)}0]\n\n`;
  await expect(read([`data: a\n\n${refused}data: b\n\n`, 'data: c\n\n'], (data) => seen.push(data))).rejects.toMatchObject({ code: 'limit-exceeded' });
  expect(seen).toEqual(['a']);
});

it.each([['data:\n'], [':\n'], ['x\n']])('ends at an event of lines without end (%j)', async (line) => {
  let sent = 0;
  const lines = function* (): Generator<string> {
    for (;;) {
      sent += 1;
      yield line;
    }
  };
  await expect(read(lines())).rejects.toMatchObject({ code: 'limit-exceeded', executed: 'unknown', message: expect.stringContaining('`maxMessageValues` (100)') as unknown });
  expect(sent).toBeLessThan(300);
});

it('counts the lines of one event exactly, however their ends are cut from them', async () => {
  const line = `:${'x'.repeat(4_095)}`;
  const refused = { code: 'limit-exceeded', message: expect.stringContaining('`maxMessageValues` (100)') as unknown };
  const events = Array.from({ length: 300 }, () => ['data: a\n', '\n']).flat();
  expect(await read(events)).toHaveLength(300);
  expect(await read(['x\n'.repeat(200), 'data: a', '\n\n'])).toEqual(['a']);
  await expect(read(['x\n'.repeat(201), '\n'])).rejects.toMatchObject(refused);
  await expect(read(Array.from({ length: 201 }, () => [line, '\n']).flat())).rejects.toMatchObject(refused);
});
