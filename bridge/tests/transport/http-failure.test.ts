import { describe, expect, it } from 'vitest';
import { statusFailure, strangeAnswer, type RefusedAnswer } from '../../src/transport/http-failure.ts';

const PLACE = 'https://mcp.example';

const ANSWER: RefusedAnswer = { status: 400, body: '', contentType: 'text/plain', redirect: undefined, method: 'POST', place: PLACE, hasHeaders: true, hasSession: false, sessionLostOn400: true };

describe('an answer that is no success', () => {
  it.each([
    [400, 'no', 'the server refuses the request'],
    [401, 'no', 'the server refuses these credentials; correct the key or token in `headers`'],
    [403, 'no', 'the server refuses these credentials'],
    [404, 'no', 'https://mcp.example has nothing at this path; correct the path in `url`'],
    [405, 'no', 'takes no Streamable HTTP'],
    [406, 'no', 'takes no Streamable HTTP'],
    [407, 'no', 'the proxy wants credentials'],
    [413, 'no', 'too large'],
    [418, 'unknown', 'refuses the request'],
    [429, 'no', 'too many requests'],
    [500, 'unknown', 'its own log says why'],
    [502, 'unknown', 'a gateway before it'],
  ])('with status %i: whether it can have run is %s, and the message names the cause (B04, B06)', (status, executed, words) => {
    expect(statusFailure({ ...ANSWER, status })).toMatchObject({ executed, evidence: 'none', httpStatus: status, isPassing: status >= 500 || status === 429, message: expect.stringContaining(`status ${status}: `) as unknown });
    expect(statusFailure({ ...ANSWER, status }).message).toContain(words);
  });

  it('that redirects and is not followed says where to, and that nothing ran', () => {
    const redirect = { words: 'it redirects to https://login.example/in', hasMoved: false };
    expect(statusFailure({ ...ANSWER, status: 302, redirect })).toMatchObject({ executed: 'no', evidence: 'none', message: 'status 302: it redirects to https://login.example/in' });
    expect(statusFailure({ ...ANSWER, status: 308, redirect: { ...redirect, hasMoved: true } })).toMatchObject({ executed: 'no', evidence: 'doubt' });
  });

  it.each([
    [401, 'the server refuses a request without credentials (it says: who are you); no `headers` are configured: put the key or token that it wants there'],
    [403, 'the server refuses a request without credentials (it says: who are you); no `headers` are configured: put the key or token that it wants there'],
  ])('with status %i says that no headers are configured, where none are', (status, words) => {
    expect(statusFailure({ ...ANSWER, status, hasHeaders: false, body: 'who are you' }).message).toBe(`status ${status}: ${words}`);
  });

  it.each([404, 405, 406, 415])('to a GET with status %i means that there is no stream, not that the address is wrong (R48)', (status) => {
    expect(statusFailure({ ...ANSWER, status, method: 'GET' })).toMatchObject({ evidence: 'none', message: `status ${status}: the server offers no event stream at this address` });
  });

  it.each([
    ['the message of a JSON-RPC error', '{"error":{"code":1,"message":"bad key"}}', ' (it says: bad key)'],
    ['an error that is text', '{"error":"bad key"}', ' (it says: bad key)'],
    ['an OAuth error', '{"error":"invalid_token","error_description":"bad key"}', ' (it says: invalid_token: bad key)'],
    ['an OAuth error without a description', '{"error":"invalid_token","error_description":""}', ' (it says: invalid_token)'],
    ['a description alone', '{"error_description":"bad key"}', ' (it says: bad key)'],
    ['an error that is null', '{"error":null,"message":"bad key"}', ' (it says: bad key)'],
    ['a message beside', '{"message":"bad key"}', ' (it says: bad key)'],
    ['JSON of another form', '["bad"]', ' (it says: ["bad"])'],
    ['JSON without words', '{"error":{}}', ' (it says: {"error":{}})'],
    ['plain text', ' bad\n key ', ' (it says: bad key)'],
    ['nothing', '', 'request'],
    ['a web page by its looks', '<!DOCTYPE html><p>bad key', ' (it sent a web page)'],
  ])('is quoted: %s', (_what, body, words) => {
    expect(statusFailure({ ...ANSWER, body }).message).toMatch(new RegExp(`${words.replaceAll(/[[\](){}]/g, String.raw`\$&`)}$`));
  });

  it('is quoted within a bound', () => {
    expect(statusFailure({ ...ANSWER, body: 'x'.repeat(4_000) }).message.length).toBeLessThan(400);
  });

  it.each([
    [404, 'any', true, true, 'lost'],
    [404, 'any', false, true, 'none'],
    [410, '', true, false, 'lost'],
    [400, 'No valid session ID', true, true, 'doubt'],
    [400, 'Server not initialized', true, true, 'doubt'],
    [400, 'No valid session ID', true, false, 'none'],
    [400, 'No valid session ID', false, true, 'none'],
    [400, 'bad argument', true, true, 'none'],
    [401, 'session expired', true, true, 'doubt'],
    [401, 'session expired', false, true, 'none'],
    [401, 'session expired', true, false, 'none'],
    [401, 'no session cookie', true, true, 'none'],
  ])('with status %i and "%s" tells of a session (%s, %s): %s (R46)', (status, body, hasSession, sessionLostOn400, evidence) => {
    expect(statusFailure({ ...ANSWER, status, body, hasSession, sessionLostOn400 })).toMatchObject({ evidence, executed: 'no' });
  });
});

it('calls a web page a web page', () => {
  const page = { contentType: 'text/html', body: '', method: 'POST', place: PLACE } as const;
  expect(strangeAnswer(page).message).toBe('https://mcp.example answered with a web page, not with MCP; correct the path in `url`, it often ends in /mcp');
  expect(strangeAnswer({ ...page, contentType: '', body: 'x' }).message).toContain('content of no stated type');
  expect(strangeAnswer({ ...page, method: 'GET' })).toMatchObject({ executed: 'unknown', evidence: 'none', message: 'https://mcp.example answered with a web page, not with an event stream' });
});

describe('the words of a failure', () => {
  it.each([
    [404, 'gone', 'lost', 'status 404: the server does not know this session any more (it says: gone)'],
    [400, 'no such session', 'doubt', 'status 400: the server says something about the session (it says: no such session)'],
    [500, 'no such session', 'none', 'status 500: the server, or a gateway before it, failed (it says: no such session); its own log says why'],
  ])('tell what status %d with %j means for a session: %s (B09, R46)', (status, body, evidence, message) => {
    expect(statusFailure({ ...ANSWER, status, body, hasSession: true })).toMatchObject({ evidence, message });
  });

  it('quote 300 characters of an answer whole, and no more', () => {
    const [whole, cut] = [300, 301].map((size) => statusFailure({ ...ANSWER, body: 'x'.repeat(size) }).message);
    expect(whole).toBe(`status 400: the server refuses the request (it says: ${'x'.repeat(300)})`);
    expect(cut).toBe(`status 400: the server refuses the request (it says: ${'x'.repeat(299)}…)`);
  });

  it('quote the message of an error only where it is text', () => {
    for (const body of ['{"error":{"message":5}}', '{"error_description":5}', 'null', '"text"']) expect(statusFailure({ ...ANSWER, body }).message).toContain(`(it says: ${body})`);
  });

  it.each([
    ['\n <HTML lang="en">', 'a web page'],
    ['<!DOCTYPE html>', 'a web page'],
    ['write <html> here', 'content of the type text/plain'],
  ])('know a web page by its beginning: %j', (body, what) => {
    expect(strangeAnswer({ ...ANSWER, body })).toMatchObject({
      message: `https://mcp.example answered with ${what}, not with MCP; correct the path in \`url\`, it often ends in /mcp`, executed: 'unknown', evidence: 'none', isPassing: false,
    });
  });
});
