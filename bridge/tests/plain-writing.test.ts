import { describe, expect, it } from 'vitest';
import { withoutPayloads } from '../src/payloads.ts';
import { plainWriting } from '../src/plain-writing.ts';

const A = 'a+b/'.repeat(10);
const B = 'c+d/'.repeat(10);

/** The text without the payloads, written otherwise than they came. */
function clean(text: string, ...payloads: readonly string[]): string {
  return withoutPayloads(text, new Set(payloads)).replaceAll('[payload left out]', '[out]');
}

/** In the alphabet of URLs. */
const url = (data: string): string => data.replaceAll('+', '-').replaceAll('/', '_');

describe('payloads in the other alphabet', () => {
  it('takes out each payload as often as it stands there, with its padding', () => {
    for (const payloads of [[A, B], [B, A]]) expect(clean(`x ${url(A)} y ${url(A)}== z ${url(B)}`, ...payloads)).toBe('x [out] y [out] z [out]');
  });

  it('takes out no more than a padding', () => {
    expect(clean(`x ${url(A)}=== z`, A)).toBe('x [out]= z');
  });

  it('looks for a payload that holds padding in its middle, as two in a row do', () => {
    expect(clean(`x ${url(A)}==${url(B)} y`, `${A}==${B}`)).toBe('x [out] y');
  });

  it('takes out together what covers another or laps over it, whichever comes first', () => {
    const whole = `${A}${B}tail`;
    for (const payloads of [[A, whole, B], [whole, B, A]]) expect(clean(`x ${url(whole)} y`, ...payloads)).toBe('x [out] y');
    const middle = `${A.slice(20)}${B.slice(0, 20)}`;
    expect(clean(`x ${url(`${A}${B}`)} y`, A, middle)).toBe(`x [out]${url(B.slice(20))} y`);
  });

  it('does not look for what is too short once its line breaks and its padding are gone', () => {
    const short = 'q'.repeat(30);
    expect(clean(`x ${short} y`, `${short}\n\n==`)).toBe(`x ${short} y`);
    expect(clean(`x ${short}qq y`, `${short}qq\n==`)).toBe('x [out] y');
  });

  it('finds a payload at the very beginning and the very end of a text', () => {
    expect(clean(url(A), A)).toBe('[out]');
    expect(clean(`${url(A)}\n`, A)).toBe('[out]\n');
  });
});

describe('plainWriting', () => {
  it('is one for all ways of writing, and the text itself where there is nothing to rewrite', () => {
    expect(plainWriting('a+b/=')).toBe('a+b/=');
    expect(plainWriting('-_-')).toBe('+/+');
    for (const written of ['a-b_=', 'a+b\\/=', 'a\\u002Bb\\\\u002f\\u003d', 'a+\r\n \tb/=\n', 'a+\\n  b\\r/=']) expect(plainWriting(written)).toBe('a+b/=');
  });

  it('leaves backslashes alone that escape nothing of base64, or are too many', () => {
    for (const text of ['a\\', '\\u0041', '\\U002b', '\\\\x', '\\u00']) expect(plainWriting(text)).toBe(text);
    expect(plainWriting('\\\\\\\\/')).toBe('\\/');
  });
});
