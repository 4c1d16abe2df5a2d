import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../src/host-services.ts';
import { collectPayloads, structuredText, withoutPayloads } from '../src/payloads.ts';

/** A payload that differs from every other one. */
const payload = (n: number): string => String(n).padStart(40, 'A');

describe('withoutPayloads', () => {
  it('takes each payload out wherever it is repeated, the longest first (S46)', () => {
    const payloads = collectPayloads([
      { type: 'image', data: payload(1) },
      { type: 'resource', resource: { blob: `${payload(1)}tail` } },
    ]);
    expect(withoutPayloads(`a ${payload(1)}tail b ${payload(1)} c`, payloads)).toBe('a [payload left out] b [payload left out] c');
  });

  it('leaves text alone that is no payload, short data and the text of text blocks', () => {
    const words = `${payload(1)} short`;
    expect(withoutPayloads(words, collectPayloads([{ type: 'text', data: payload(1) }, { type: 'audio', data: 'short' }, 5]))).toBe(words);
  });

  it('takes each of any number of payloads out, and nothing that only looks like one', () => {
    const many = collectPayloads(Array.from({ length: 500 }, (_, n): JsonValue => ({ type: 'audio', data: payload(n) })));
    expect(many.size).toBe(500);
    expect(withoutPayloads(`a ${payload(3)} b ${payload(499)} c ${'B'.repeat(64)} d`, many)).toBe(`a [payload left out] b [payload left out] c ${'B'.repeat(64)} d`);
  });

  it('gives up a search that would take too long, and then leaves out all that looks encoded (B01, B19)', () => {
    // To its end the search would compare more than a thousand million times, and leave the first text as it is.
    const half = 'A'.repeat(20_000);
    const text = `words ${half.repeat(8)} and more`;
    expect(withoutPayloads(text, collectPayloads([{ type: 'image', data: `${half}B${half}` }]))).toBe('words [payload left out] and more');
    // Only in the plain writing do they repeat themselves.
    expect(withoutPayloads(text.replaceAll('AAAA', 'AAA\n'), collectPayloads([{ type: 'image', data: `${half}B${half}` }]))).not.toContain('AAAA');
    expect(withoutPayloads(text, collectPayloads([{ type: 'image', data: `${half} ${half}` }]))).toBe('[payload left out]');
  });

  it('frees text of one unbroken run, in structured content too (S46, B27)', () => {
    const run = 'QUJD'.repeat(10_000);
    expect(structuredText({ note: `x ${run} y`, [run]: 1 })).toBe('{"note":"x [payload left out] y","[payload left out] 2":1}');
    expect(withoutPayloads(`x ${run} y`, collectPayloads([{ type: 'image', data: run }]))).toBe('x [payload left out] y');
  });
});

describe('a payload that a server repeats in another way of writing', () => {
  const bytes = Buffer.from(Array.from({ length: 301 }, (_, index) => (index * 37 + 251) % 256));
  const data = bytes.toString('base64');
  const wrapped = data.replace(/.{76}/g, '$&\n');

  it.each<readonly [string, string]>([
    ['with escaped slashes', data.replaceAll('/', '\\/')],
    ['with slashes escaped twice', data.replaceAll('/', '\\\\/')],
    ['with escapes by number', data.replaceAll('+', '\\u002B').replaceAll('/', '\\u002f').replaceAll('=', '\\u003d')],
    ['in the alphabet of URLs', bytes.toString('base64url')],
    ['wrapped', wrapped],
    ['wrapped with carriage returns and indented', wrapped.replaceAll('\n', '\r\n  ')],
    ['wrapped, as JSON writes it', wrapped.replaceAll('\n', '\\n')],
    ['without padding', data.replace(/=+$/, '')],
  ])('is taken out %s (S46)', (_what, written) => {
    expect(data).toMatch(/\+.*\/.*==$|\/.*\+.*==$/s);
    expect(withoutPayloads(`see a_b-c\n${written}\nend\n`, collectPayloads([{ type: 'image', data }]))).toBe('see a_b-c\n[payload left out]\nend\n');
  });

  it('is taken out of structured content and its keys, and beside other payloads', () => {
    const text = structuredText({ note: `x ${data.replaceAll('/', '\\/')}`, [`k${data}`]: 1, [`l${data}`]: 2, lines: wrapped });
    expect(JSON.parse(text)).toEqual({ note: 'x [payload left out]', '[payload left out] 2': 1, '[payload left out] 3': 2, lines: '[payload left out]' });
    const other = bytes.toReversed();
    const both = `${bytes.toString('base64url')} and ${Buffer.from(other).toString('base64url')}`;
    const payloads = collectPayloads([{ type: 'image', data }, { type: 'audio', data: Buffer.from(other).toString('base64') }]);
    expect(withoutPayloads(both, payloads)).toBe('[payload left out] and [payload left out]');
  });

  it('is taken out when a text block carries it as data', () => {
    expect(withoutPayloads(`a ${wrapped}`, collectPayloads([{ type: 'text', text: 'x', data }]))).toBe('a [payload left out]');
    const words = 'long words '.repeat(100);
    expect(withoutPayloads(words, collectPayloads([{ type: 'text', text: words, data: words }]))).toBe(words);
  });

  it('does not take words in lines', () => {
    const words = 'word\n'.repeat(1_000);
    expect(withoutPayloads(words, collectPayloads([{ type: 'image', data }]))).toBe(words);
    expect(structuredText({ words })).toBe(JSON.stringify({ words }));
  });
});

describe('collectPayloads', () => {
  it('takes strings of 32 characters and more, and from text blocks encoded ones of 256 and more (S46)', () => {
    const content: JsonValue[] = [
      { type: 'image', data: 'a'.repeat(31) }, { type: 'image', data: 'b'.repeat(32) }, { type: 'text', data: 'c'.repeat(255) }, { type: 'text', data: 'd'.repeat(256) },
    ];
    expect([...collectPayloads(content)]).toEqual(['b'.repeat(32), 'd'.repeat(256)]);
  });

  it('finds a payload that is a whole text, of the shortest length too', () => {
    const shortest = 'b'.repeat(32);
    expect(withoutPayloads(shortest, new Set([shortest]))).toBe('[payload left out]');
  });
});

describe('structuredText', () => {
  it('leaves out data of 32 characters and more, and a long run that is the only key (S46)', () => {
    expect(structuredText({ data: 'a'.repeat(31), deep: { data: 'b'.repeat(32) } })).toBe(`{"data":"${'a'.repeat(31)}","deep":{"data":"[payload left out]"}}`);
    expect(structuredText({ ['C'.repeat(256)]: 1 })).toBe('{"[payload left out] 1":1}');
  });

  it('leaves out data and blob strings and long encoded runs, and nothing else (S46)', () => {
    const run = 'C'.repeat(256);
    expect(JSON.parse(structuredText({ data: payload(1), n: 1, deep: [{ blob: payload(2), data: 'short', note: `x ${run} y` }] }))).toEqual({
      data: '[payload left out]',
      n: 1,
      deep: [{ blob: '[payload left out]', data: 'short', note: 'x [payload left out] y' }],
    });
  });

  it('says so when content is nested too deeply to be shown, rather than fail a call that succeeded', () => {
    let deep: JsonValue = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(structuredText(deep)).toBe('[structured content left out: it is nested too deeply to be shown]');
  });
});
