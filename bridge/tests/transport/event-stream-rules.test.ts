/** What of a stream is taken for a message, an id or a bound, to the character. */
import { describe, expect, it } from 'vitest';
import { readEventStream } from '../../src/transport/event-stream.ts';

interface Read {
  readonly data: string[];
  readonly ids: (string | undefined)[];
  readonly retries: number[];
  readonly failure: unknown;
  /** Whether the rest of the stream was refused. */
  readonly isCancelled: boolean;
}

/** Reads a stream that brings these pieces and then ends. */
async function read(pieces: readonly string[], maxChars = 1_000): Promise<Read> {
  const data: string[] = [];
  const ids: (string | undefined)[] = [];
  const retries: number[] = [];
  const waiting = pieces.map((piece) => Buffer.from(piece, 'latin1'));
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (stream) => {
        const piece = waiting.shift();
        if (piece === undefined) stream.close();
        else stream.enqueue(piece);
      },
      cancel: () => {
        isCancelled = true;
        throw new Error('the connection is gone already');
      },
    },
    { highWaterMark: 0 },
  );
  const failure: unknown = await readEventStream(body, { maxMessageBytes: maxChars, maxMessageValues: 100_000 }, {
    onData: (text) => data.push(text),
    onId: (id) => ids.push(id),
    onRetry: (retryMs) => retries.push(retryMs),
  }).catch((error: unknown) => error);
  return { data, ids, retries, failure, isCancelled };
}

/** An event with this much data. */
function event(size: number): string {
  return `data: ${'x'.repeat(size)}\n\n`;
}

describe('readEventStream', () => {
  it('gives the data of messages, and not that of other events or of none', async () => {
    const { data, failure } = await read(['data: a\n\nevent: message\ndata: b\n\nevent: other\ndata: c\n\nid: 1\ndata:\n\n']);
    expect([data, failure]).toEqual([['a', 'b'], undefined]);
  });

  it('gives each id to resume with, and takes back what is empty, too long or cannot be sent (B10)', async () => {
    const ids = ['7', 'x'.repeat(1_000), 'x'.repeat(1_001), '', 'a\u0007', 'a\u007F', 'tab\t'];
    const found = await read([`${ids.map((id) => `id: ${id}\ndata: x\n\n`).join('')}data: no id\n\n`], 5_000);
    expect(found.ids).toEqual(['7', 'x'.repeat(1_000), undefined, undefined, undefined, undefined, 'tab\t']);
    expect(found.data).toHaveLength(8);
  });

  it('gives the time that the server asks for, as sent, and passes over what makes no sense', async () => {
    expect(await read(['nonsense: 1\nretry: 5000\n\nretry: soon\n\ndata: a\n\n'])).toMatchObject({ retries: [5_000], data: ['a'], failure: undefined });
  });

  it.each(['\n', '\r\n', '\r'])('believes an event as soon as it is there, whatever ends its lines: %j (B25)', async (end) => {
    // What comes last leaves open whether a LF follows.
    expect((await read([`data: a${end}data: b${end}${end}`])).data).toEqual(['a\nb']);
    expect((await read(Array.from(`data: a${end}data: b${end}${end}data: c${end}${end}`))).data).toEqual(['a\nb', 'c']);
  });

  it('takes a CR and a LF that come apart for one line end, and two CR for two (B25)', async () => {
    expect((await read(['data: a\r', '', '\ndata: b\r', '\n\r', '\n'])).data).toEqual(['a\nb']);
    expect((await read(['data: a\r', '\r', 'data: b\r\r'])).data).toEqual(['a', 'b']);
    expect((await read(['data: a\n', '\n'])).data).toEqual(['a']);
  });

  it('puts characters together that come in pieces', async () => {
    const bytes = Buffer.from('data: é€😀\n\n').toString('latin1');
    expect((await read(Array.from(bytes))).data).toEqual(['é€😀']);
  });

  it('takes an event as large as the bound, however it is cut, and ends with a larger one (B01, B25)', async () => {
    for (const pieces of [[event(100)], Array.from(event(100))]) expect(await read(pieces, 100)).toMatchObject({ data: ['x'.repeat(100)], failure: undefined });
    const { data, failure, isCancelled, ids } = await read([`${event(1)}${event(101)}id: 9\n${event(2)}`, event(3)], 100);
    expect(failure).toMatchObject({ code: 'limit-exceeded', executed: 'unknown', message: 'the server sent an event of more than `maxMessageBytes` (100) characters' });
    expect([data, ids, isCancelled]).toEqual([['x'], [], true]);
  });

  it('ends with an event that goes on without an end (B01)', async () => {
    const { failure, isCancelled } = await read(['data: ', ...Array.from({ length: 50 }, () => 'x'.repeat(100))], 1_000);
    expect(failure).toMatchObject({ code: 'limit-exceeded' });
    expect(isCancelled).toBe(true);
  });
});
