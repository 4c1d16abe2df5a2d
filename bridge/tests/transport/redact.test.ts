import { describe, expect, it } from 'vitest';
import { createRedactor, secretEntries, secretsInUrl } from '../../src/transport/redact.ts';

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
  expect(secretsInUrl('http://localhost:3000/mcp')).toEqual({});
  expect(secretsInUrl('no address')).toEqual({});
});

describe('secretEntries', () => {
  it('are those whose name says so', () => {
    expect(secretEntries({ API_KEY: 'a', Authorization: 'b', Cookie: 'c', 'Proxy-Authorization': 'd', ROOT: '/srv/data' })).toEqual({ API_KEY: 'a', Authorization: 'b', Cookie: 'c', 'Proxy-Authorization': 'd' });
  });
});
