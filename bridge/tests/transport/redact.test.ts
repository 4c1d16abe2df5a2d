import { describe, expect, it } from 'vitest';
import { bytesToShow, createRedactor, secretEntries, secretsInUrl, showLine } from '../../src/transport/redact.ts';

describe('createRedactor', () => {
  it('removes values whose name says secret, and long values under any name', () => {
    const redact = createRedactor({ API_KEY: 'abc', PLAIN: 'long-enough', LEVEL: 'debug' });
    expect(redact('abc long-enough debug abcabc')).toBe('[redacted] [redacted] debug [redacted][redacted]');
  });

  it('removes a token without its scheme, and each line of a key', () => {
    const redact = createRedactor({ authorization: 'Bearer t0k3n', PRIVATE_KEY: 'line-one\nline-two' });
    expect(redact('sent t0k3n')).toBe('sent [redacted]');
    expect(redact('line-two then line-one')).toBe('[redacted] then [redacted]');
  });

  it('takes for a token what follows a scheme, and a value that begins otherwise as a whole', () => {
    expect(createRedactor({ authorization: 'Bearer   t0k3n' })('sent t0k3n')).toBe('sent [redacted]');
    expect(createRedactor({ A_TOKEN: '7 Bearer t0k3n' })('sent t0k3n')).toBe('sent t0k3n');
  });

  it('leaves blanks alone, though one is configured as a secret', () => {
    expect(createRedactor({ A_TOKEN: '         ' })('a         b')).toBe('a         b');
  });

  it('removes the longer one of two secrets whole', () => {
    expect(createRedactor({ A_TOKEN: 'abcd', B_TOKEN: 'abcdefgh' })('abcdefgh')).toBe('[redacted]');
  });

  it('removes a secret in the forms in which a peer may send it back', () => {
    const key = 'k?y/with"odd>parts';
    const redact = createRedactor({ API_KEY: key });
    for (const form of [JSON.stringify(key), Buffer.from(key).toString('base64'), Buffer.from(key).toString('base64url'), encodeURIComponent(key)]) {
      expect([form, redact(`got ${form} here`)]).toEqual([form, expect.stringMatching(/^got "?\[redacted\]"?=* here$/)]);
    }
  });

  it('removes it from the middle of JSON, and from base64 without its padding', () => {
    const key = '???>>>"odd parts';
    const redact = createRedactor({ API_KEY: key });
    expect(redact(JSON.stringify(`a ${key} b`))).toBe('"a [redacted] b"');
    const data = Buffer.from(key).toString('base64');
    expect(data).toMatch(/\/.*\+.*==$/);
    expect(redact(`x ${data.replace(/=+$/, '')} y`)).toBe('x [redacted] y');
  });

  it('looks for other forms of a secret from eight characters on, since short ones stand everywhere', () => {
    expect(createRedactor({ API_KEY: '1234567' })('MTIzNDU2Nw')).toBe('MTIzNDU2Nw');
    expect(createRedactor({ API_KEY: '12345678' })('MTIzNDU2Nzg')).toBe('[redacted]');
  });

  it('removes what a cut left of a secret', () => {
    const redact = createRedactor({ API_KEY: 'canary-5f2e91', OTHER: 'can-something' });
    expect(redact('a canary-5f… of canary, cana… ca… canary-5f')).toBe('a [redacted]… of canary, [redacted]… ca… canary-5f');
  });

  it('leaves text alone when nothing is secret', () => {
    expect(createRedactor({}, { A_TOKEN: '' })('any text')).toBe('any text');
  });
});

it('takes the values of a query and long parts of a path for secrets, and nothing else of an address', () => {
  expect(secretsInUrl('https://mcp.example/v1/s3cr3t-t0k3n-000001/mcp?api_key=k3y&mode=fast')).toEqual({ api_key: 'k3y', mode: 'fast', 'path 0': 's3cr3t-t0k3n-000001' });
  expect(secretsInUrl(`http://localhost:3000/${'a'.repeat(15)}/${'b'.repeat(16)}`)).toEqual({ 'path 0': 'b'.repeat(16) });
  expect(secretsInUrl('http://localhost:3000/mcp')).toEqual({});
  expect(secretsInUrl('no address')).toEqual({});
});

describe('secretEntries', () => {
  it('are those whose name says so', () => {
    expect(secretEntries({ API_KEY: 'a', Authorization: 'b', Cookie: 'c', 'Proxy-Authorization': 'd', ROOT: '/srv/data' })).toEqual({ API_KEY: 'a', Authorization: 'b', Cookie: 'c', 'Proxy-Authorization': 'd' });
  });
});

describe('showLine', () => {
  const redact = createRedactor({ A_TOKEN: 'abcd' });
  const show = (line: string, maxBytes: number, wasCut = false): string => showLine(Buffer.from(line), wasCut, maxBytes, redact);

  it('shows a line that fits as it is, but for blanks at its end', () => {
    expect(show('  12345 \r', 7)).toBe('  12345');
  });

  it('cuts a longer one between two characters, with a mark', () => {
    expect(show('12345678', 7)).toBe('1234567…');
    expect(show('1€€', 5)).toBe('1€…');
    expect(show('1\uFFFD2😀', 8)).toBe('1\uFFFD2…');
    expect(show('12\uFFFD\uFFFD9', 8)).toBe('12\uFFFD\uFFFD…');
  });

  it('removes secrets, and of a line that goes on what may be the beginning of one (B18)', () => {
    expect(show('x abcd y', 100)).toBe('x [redacted] y');
    expect(show('x 1234abc', 100, true)).toBe('x 123…');
    expect(show('ab', 100, true)).toBe('…');
  });

  it('says how many bytes it needs for that', () => {
    expect(redact.longest).toBe(4);
    expect(bytesToShow(100, redact)).toBe(112);
    expect(bytesToShow(100, createRedactor())).toBe(100);
  });
});
