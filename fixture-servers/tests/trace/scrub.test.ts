import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretKeys } from '../../src/trace/scrub/secret-keys.ts';
import { scrubText, type TextRules } from '../../src/trace/scrub/secret-text.ts';
import { createScrubber } from '../../src/trace/scrub/scrubber.ts';
import { compilePattern } from '../../src/trace/scrub/user-patterns.ts';
import { readTrace } from '../../src/trace/reader.ts';
import type { TraceRecord } from '../../src/trace/schema.ts';
import { BIN } from '../client.ts';
import { recordsOf, temporaryFolder } from './records.ts';

const folder = temporaryFolder();

function scrubAll(records: readonly TraceRecord[], options = {}): TraceRecord[] {
  const scrubber = createScrubber(options);
  for (const record of records) scrubber.survey(record);
  return records.map((record) => scrubber.scrub(record));
}

function run(...args: string[]) {
  return spawnSync(process.execPath, [BIN, 'scrub', ...args], { encoding: 'utf8' });
}

describe('scrubbing', () => {
  const { records, c2s, s2c, process: event } = recordsOf();
  c2s(
    { jsonrpc: '2.0', id: 'tok-1', method: 'tools/call', params: { name: 'login', arguments: { apiKey: 'sup3rs3cret-value', PASSWORD: 'hunter2', pin: 5, secret: 42, deep: [{ access_token: 'aaa' }] }, _meta: { progressToken: 'p-1' } } },
    { session: 'sess-1', http: { method: 'POST', path: '/mcp?api_key=q1w2e3&page=2', requestHeaders: { Authorization: 'Bearer abcdef0123456789', 'x-api-key': 'k', cookie: 'a=b; c=d', accept: '*/*' } } },
  );
  s2c({ jsonrpc: '2.0', id: 'tok-1', result: { nextPageToken: 'keep', content: [{ type: 'text', text: 'Hello sup3rs3cret-value, see https://bob:pw@x.org/?q=1\nGITHUB_TOKEN=zzz DEBUG=1\npassword: required' }, { type: 'text', text: '{"env":{"DB_PASS":"pass-1","HOME":"/root"}}' }] } });
  s2c({ jsonrpc: '2.0', id: 2, result: { tools: [{ name: 'token', inputSchema: { type: 'object', properties: { token: { type: 'string', description: 'An API token', default: 'def-1' }, password: { type: 'string' } }, required: ['token'] } }] } });
  s2c('{"result":{"refreshToken":"half-of-it', { bytes: 37 });
  event('stderr', { text: 'Authorization: Bearer abcdef0123456789\nusing --token t0ken1 and AKIAABCDEFGHIJKLMNOP\n' });

  it('removes secrets by name and by pattern, in headers, members at any depth, text, paths and cut frames', () => {
    const text = JSON.stringify(scrubAll(records));
    for (const secret of ['sup3rs3cret', 'hunter2', 'aaa', 'q1w2e3', 'abcdef0123456789', 'a=b', ':pw@', 'zzz', 'pass-1', 'def-1', 'half-of-it', 't0ken1', 'AKIA', 'sess-1', '42']) {
      expect(text, secret).not.toContain(secret);
    }
    for (const kept of ['tok-1', 'p-1', 'keep', 'page=2', 'DEBUG=1', 'password: required', 'An API token', '"required":["token"]', '/root', '*/*', '"pin":5']) {
      expect(text.replaceAll('\\"', '"'), kept).toContain(kept);
    }
  });

  it('gives equal secrets equal placeholders, different ones different ones, and keeps text and value alike', () => {
    const [call, answer, , cut, err] = scrubAll(records);
    const placeholder = /"apiKey":"(\[scrubbed-key-\d+\])"/.exec(JSON.stringify(call?.kind === 'frame' ? call.message : ''))?.[1] ?? 'none';
    expect(JSON.stringify(answer)).toContain(`Hello ${placeholder},`);
    const bearer = call?.kind === 'frame' ? call.http?.requestHeaders?.['Authorization'] : undefined;
    expect(bearer).toMatch(/^Bearer \[scrubbed-/);
    expect(err?.kind === 'process' ? err.text : '').toContain(`Authorization: ${bearer}\n`);
    expect(call?.kind === 'frame' ? JSON.parse(call.raw) : undefined).toEqual(call?.kind === 'frame' ? call.message : null);
    expect(call?.kind === 'frame' ? call.bytes : 0).toBe(Buffer.byteLength(call?.kind === 'frame' ? call.raw : '') + 1);
    expect(cut?.kind === 'frame' ? cut.raw : '').toMatch(/^\{"result":\{"refreshToken":"\[scrubbed-token-\d+\]$/);
  });

  it('changes nothing the second time, whatever the trace', () => {
    const word = fc.constantFrom('token', 'apiKey', 'a', 'password', 'value', 'name', 'Cookie', 'properties', 'default');
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('Bearer abc123def456', 'KEY=x', 'API_KEY="a b"', 'token=abc(def', '{"password":"x"}', '{"a', 'https://u:p@h', 'sk-aaaaaaaaaaaaaaaaaaaa', '[scrubbed-key-1]', 'x[scrubbed-key-7]y', '-----BEGIN PRIVATE KEY-----abc', 'eyJhbGciOiJI.eyJzdWIi.sig', '--password h4x', 'secret-Value-1'),
    );
    const both = fc.tuple(text, text, text).map((parts) => parts.join(''));
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, both, fc.integer(), fc.boolean(), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(word, tie('value'), { maxKeys: 4 })),
    })).value;
    const pattern = compilePattern('[a-f]{3}');
    fc.assert(fc.property(fc.array(fc.tuple(json, both), { minLength: 1, maxLength: 4 }), (parts) => {
      const made = recordsOf();
      for (const [value, line] of parts) {
        made.c2s({ jsonrpc: '2.0', id: 1, method: 'x', params: value }, { http: { method: 'POST', requestHeaders: { authorization: line, other: line } } });
        made.s2c(line);
        made.process('stderr', { text: line });
      }
      for (const options of [{}, { patterns: [pattern], keys: ['a'] }]) {
        const once = scrubAll(made.records, options);
        expect(scrubAll(once, options)).toEqual(once);
        expect(once.map((record) => shape(record.kind === 'frame' ? record.message : ''))).toEqual(made.records.map((record) => shape(record.kind === 'frame' ? record.message : '')));
      }
    }), { numRuns: 60 });
  });

  it('knows which names hold secrets, and which only speak of them', () => {
    const keys = createSecretKeys(['X-Tenant']);
    const secret = ['authorization', 'Proxy-Authorization', 'token', 'ACCESS_TOKEN', 'idToken', 'apiKey', 'api-key', 'APIKEY', 'clientSecret', 'password', 'DB_PASS', 'set-cookie', 'AWS_SECRET_ACCESS_KEY', 'privateKey', 'mcp-session-id', 'xTenant', 'refresh_tokens'];
    const harmless = ['progressToken', 'nextPageToken', 'maxTokens', 'tokens', 'token_type', 'tokenCount', 'key', 'primaryKey', 'passwordRequired', 'authorization_endpoint', 'author', 'bypass', 'pass', 'cursor', 'monkey', '__proto__', 'constructor'];
    expect(secret.filter((name) => keys(name) === undefined)).toEqual([]);
    expect(harmless.filter((name) => keys(name) !== undefined)).toEqual([]);
  });

  it('takes time in proportion to the text, for its own patterns and those of the user', () => {
    const rules: TextRules = { keys: createSecretKeys(), patterns: [compilePattern('(a+)+$')], known: (text) => text };
    const started = performance.now();
    for (const piece of ['a', 'a="', '-eyJ', 'sk-', '://a:', '\\"a', 'token=', '--token ', 'Bearer ', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'a.', '{', '"a":']) {
      scrubText(`${piece.repeat(100_000 / piece.length)}!`, rules, () => '[scrubbed-key-1]');
    }
    // Some 1 s on a busy machine; a pattern that backtracks would take years.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('lists on the command line what it removed, never the value, and takes names and patterns of the user', () => {
    const path = folder.trace('in.jsonl', [...records, 'no record with sup3rs3cret-value']);
    const out = folder.path('out.jsonl');
    const first = run(path, '-o', out, '--key', 'pin', '--pattern', 'Hel+o');
    expect(first.status).toBe(1);
    expect(first.stderr).toContain(`${path}:6: no JSON`);
    expect(first.stdout).toMatch(/ 1 {2}key +tools\/call params\.arguments\.apiKey\n/);
    expect(first.stdout).toMatch(/ 1 {2}authorization +request header authorization\n/);
    expect(first.stdout).toMatch(/ 1 {2}pattern +answer result\.content\[\]\.text\n/);
    expect(first.stdout).not.toMatch(/sup3rs3cret|hunter2|abcdef/);
    const text = readFileSync(out, 'utf8');
    expect(readTrace(text)).toHaveLength(5);
    expect(text).not.toMatch(/Hello|sup3rs3cret|\\"pin\\":5/);
    const again = folder.path('again.jsonl');
    expect(run(out, '-o', again, '--key', 'pin', '--pattern', 'Hel+o').stdout).toContain('no secrets found');
    expect(readFileSync(again, 'utf8')).toBe(text);
    expect(run(out, '-o', out)).toMatchObject({ status: 2, stderr: expect.stringContaining('--out is the trace itself') });
    const linked = folder.path('linked.jsonl');
    linkSync(out, linked);
    expect(run(out, '-o', linked)).toMatchObject({ status: 2, stderr: expect.stringContaining('--out is the trace itself') });
    expect(readFileSync(out, 'utf8')).toBe(text);
    expect(run('/dev/null', '-o', again)).toMatchObject({ status: 2, stderr: expect.stringContaining('save it as a file first') });
    expect(run(out, '-o', again, '--pattern', '(?=x)')).toMatchObject({ status: 2, stderr: expect.stringContaining('RE2') });
  });
});

/** Keys and kinds of a value, without its texts and numbers. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, each]) => [key, shape(each)]);
}
