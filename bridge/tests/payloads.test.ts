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

  it('frees text of every long encoded run when there are too many payloads to look for one by one', () => {
    const many = collectPayloads(Array.from({ length: 65 }, (_, n): JsonValue => ({ type: 'audio', data: payload(n) })));
    expect(many.size).toBe(65);
    expect(withoutPayloads(`a ${payload(3)}== b ${'B'.repeat(31)} c`, many)).toBe(`a [payload left out] b ${'B'.repeat(31)} c`);
    const few = new Set([...many].slice(0, 64));
    expect(withoutPayloads(`a ${payload(3)} b ${'B'.repeat(32)}`, few)).toBe(`a [payload left out] b ${'B'.repeat(32)}`);
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

  it('is looked for in texts of any length', () => {
    const long = '\n'.repeat(16_000_000);
    expect(withoutPayloads(`${long}${data.replaceAll('/', '\\/')}`, collectPayloads([{ type: 'image', data }])) === `${long}[payload left out]`).toBe(true);
  });

  it('does not take words in lines, and costs no more than its length (B01)', () => {
    const words = 'word\n'.repeat(1_000);
    expect(withoutPayloads(words, collectPayloads([{ type: 'image', data }]))).toBe(words);
    expect(structuredText({ words })).toBe(JSON.stringify({ words }));
    const hostile = ['\\', '\n', 'A'.repeat(59), 'A', '\\n', '_'].map((part) => part.repeat(1_000_000 / part.length)).join(' ');
    const begun = performance.now();
    withoutPayloads(hostile, collectPayloads([{ type: 'image', data }]));
    structuredText({ hostile });
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe('structuredText', () => {
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
