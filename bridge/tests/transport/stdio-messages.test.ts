import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { answeredRequest, isLimitExceeded, limitExceededAnswer, parseStdioLine } from '../../src/transport/stdio-messages.ts';

const parse = (text: string): unknown => parseStdioLine(Buffer.from(text), 1_000);

describe('parseStdioLine', () => {
  it('takes a message as it is, key order and odd members included', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"z":1,"a":{"__proto__":2}},"extra":true}';
    expect(JSON.stringify(parse(text))).toBe(`[${text}]`);
  });

  it('takes a batch apart', () => {
    expect(parse('[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]')).toHaveLength(2);
  });

  it('finds nothing in an empty line', () => {
    expect(parse('')).toEqual([]);
    expect(parse('  \t')).toEqual([]);
  });

  it.each(['Server listening', '{"jsonrpc":"2.0"', '{"level":30,"msg":"x"}', '42', 'null', '[]', '[1]', '[null]', '[{"jsonrpc":"2.0","method":"x"},1]', '{"jsonrpc":"1.0","id":1}'])(
    'calls %j noise',
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );

  it('gives the ends of a message that holds too many values, unparsed (B01)', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 7, result: Array.from({ length: 1_100 }, () => 0) });
    expect(parse(text)).toEqual({ head: Buffer.from(text.slice(0, 256)), tail: Buffer.from(text.slice(-256)), bytes: text.length });
    expect(parse(`noise ${text}`)).toBeUndefined();
  });

  it.each(['{', '{ x', '[', '[1', 'x}', '}', '{]'])('calls %j noise without the parser, whose errors cost much (B08)', (text) => {
    const parser = vi.spyOn(JSON, 'parse');
    try {
      expect(parse(text)).toBeUndefined();
      expect(parser).not.toHaveBeenCalled();
    } finally {
      parser.mockRestore();
    }
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        parseStdioLine(Buffer.from(bytes), 2);
      }),
    );
  });
});

function ends(text: string): number | undefined {
  const bytes = Buffer.from(text);
  return answeredRequest({ head: bytes.subarray(0, 256), tail: bytes.subarray(-256), bytes: bytes.length });
}

describe('answeredRequest', () => {
  const payload = fc.string({ minLength: 300, maxLength: 600 });

  it('reads the id before or after the result', () => {
    fc.assert(
      fc.property(fc.nat(), payload, (id, text) => {
        expect(ends(JSON.stringify({ jsonrpc: '2.0', id, result: { text } }))).toBe(id);
        expect(ends(JSON.stringify({ result: { text }, jsonrpc: '2.0', id }))).toBe(id);
        expect(ends(JSON.stringify({ jsonrpc: '2.0', result: { text }, id }))).toBe(id);
      }),
    );
  });

  it('is not taken in by the payload, a notification or a request', () => {
    const bait = `${'x'.repeat(400)},"id":7}`;
    expect(ends(JSON.stringify({ result: { text: bait } }))).toBeUndefined();
    expect(ends(JSON.stringify({ jsonrpc: '2.0', id: 'seven', result: { text: bait } }))).toBeUndefined();
    expect(ends(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { text: bait, id: 7 } }))).toBeUndefined();
    expect(ends(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage', params: { bait } }))).toBeUndefined();
  });

  it('reads the id however the message is spaced', () => {
    const text = `"${'x'.repeat(600)}"`;
    for (const space of ['', ' ', '  ', '\t \r']) {
      const spaced = (message: string): number | undefined => ends(message.replaceAll(' ', space));
      expect(spaced(` { "jsonrpc" : "2.0" , "id" : 12 , "result" : ${text} } `)).toBe(12);
      expect(spaced(` { "jsonrpc" : "2.0" , "id" : 12 , "error" : ${text} } `)).toBe(12);
      expect(spaced(` { "result" : ${text} , "jsonrpc" : "2.0" , "id" : 12 } `)).toBe(12);
      expect(spaced(` { "jsonrpc" : "2.0" , "error" : ${text} , "id" : 12 } `)).toBe(12);
      expect(spaced(` { "result" : ${text} , "id" : 12 , "jsonrpc" : "2.0" } `)).toBe(12);
    }
  });

  it('finds none in a batch, behind noise, in what holds an id within, or in a request that ends with its id', () => {
    const text = 'x'.repeat(400);
    expect(ends(`[${JSON.stringify({ jsonrpc: '2.0', id: 7, result: { text } })}]`)).toBeUndefined();
    for (const noise of ['x', 'x ', '"']) {
      expect(ends(`${noise}${JSON.stringify({ jsonrpc: '2.0', id: 7, result: { text } })}`)).toBeUndefined();
      expect(ends(`${noise}${JSON.stringify({ result: { text }, id: 7 })}`)).toBeUndefined();
      expect(ends(`${JSON.stringify({ result: { text }, id: 7 })}${noise}`)).toBeUndefined();
    }
    expect(ends(JSON.stringify({ result: { text, list: [{ a: 1, id: 7 }, 0] } }))).toBeUndefined();
    expect(ends(JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text }, id: 7 }))).toBeUndefined();
  });
});

it('marks the answer that stands for one that was too long, as no server can', () => {
  const answer = limitExceededAnswer(7, 'too long');
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_603, message: 'too long' } });
  const error = 'error' in answer ? answer.error : {};
  expect([isLimitExceeded(error), isLimitExceeded({ ...structuredClone(error) })]).toEqual([true, false]);
});
