import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput, type Output } from '../../src/carriers/output.ts';

/** A way out that keeps every write apart; `hold` leaves them unanswered until `go`. */
function capture(hold = false): { output: Output; writes: string[]; go: () => void; stream: Writable } {
  const writes: string[] = [];
  const waiting: (() => void)[] = [];
  let held = hold;
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString('latin1'));
      if (held) waiting.push(done);
      else done();
    },
  });
  return {
    stream,
    output: createOutput(stream),
    writes,
    go() {
      held = false;
      for (const done of waiting.splice(0)) done();
    },
  };
}

describe('the way out', () => {
  it('writes each byte, or each piece, on its own, and what comes after behind it', async () => {
    const { output, writes } = capture();
    output.send('é1', { everyByte: true });
    output.send('abcdef', { splitAt: [4, 2, 2, 0, 99] });
    output.send('whole', undefined);
    await output.flushed();
    expect(writes.filter((write) => write !== '')).toEqual(['\xc3', '\xa9', '1', '\n', 'ab', 'cd', 'ef\n', 'whole\n']);
  });

  it('writes copies, marks and separators as it is told', async () => {
    const { output, writes } = capture();
    output.send('x', { times: 3 });
    output.send('\u2028', { bom: true, crlf: true, rawSeparators: true });
    output.send('\u2028', undefined);
    output.raw(Buffer.from('ab'), 3);
    await output.flushed();
    expect(writes.join('')).toBe('x\nx\nx\n\xef\xbb\xbf\xe2\x80\xa8\r\n\\u2028\nababab');
  });

  it('keeps no more than its bound of a flood that nobody reads', async () => {
    const { output, writes, go, stream } = capture(true);
    const text = 'x'.repeat(1024 * 1024);
    output.send(text, { times: 1000 });
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(output.isCongested()).toBe(true);
    expect(stream.writableLength).toBeLessThan(16 * 1024 * 1024);
    const relieved = new Promise<void>((resolve) => {
      output.onceRelieved(resolve);
    });
    go();
    await relieved;
    await output.flushed();
    expect(writes.filter((write) => write !== '')).toHaveLength(1000);
  });

  it('goes on without its reader', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const output = createOutput(stream);
    output.send('x', { times: 100_000 });
    await output.flushed();
    output.send('y', undefined);
    expect(output.isCongested()).toBe(false);
  });
});
