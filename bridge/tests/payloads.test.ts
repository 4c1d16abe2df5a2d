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
