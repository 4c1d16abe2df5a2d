import { describe, expect, it } from 'vitest';
import { networkFailure, statusFailure, strangeAnswer, type RefusedAnswer } from '../../src/transport/http-failure.ts';

const PLACE = 'https://mcp.example';

/** An error as Node's fetch throws it. */
function fetchFailed(code: string | undefined, more: object = {}, message = `connect ${String(code)} 10.0.0.1:443`): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), code === undefined ? {} : { code }, more) });
}

describe('a request that got no answer', () => {
  it.each([
    ['ECONNREFUSED', {}, 'no', 'lost', 'nobody listens at https://mcp.example (connect ECONNREFUSED 10.0.0.1:443); start the server'],
    ['ENOTFOUND', {}, 'no', 'lost', 'the host name of https://mcp.example cannot be resolved'],
    ['EAI_AGAIN', {}, 'no', 'lost', 'cannot be resolved'],
    ['ENETUNREACH', {}, 'no', 'lost', 'https://mcp.example cannot be reached'],
    ['UND_ERR_CONNECT_TIMEOUT', {}, 'no', 'lost', 'cannot be reached'],
    ['EHOSTUNREACH', { syscall: 'connect' }, 'no', 'doubt', 'cannot be reached'],
    ['ETIMEDOUT', { syscall: 'read' }, 'unknown', 'doubt', 'cannot be reached'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', {}, 'no', 'doubt', 'speaks no TLS (connect ERR_SSL_WRONG_VERSION_NUMBER 10.0.0.1:443); write http://'],
    ['EPROTO', {}, 'no', 'doubt', 'speaks no TLS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', {}, 'no', 'doubt', 'TLS certificate of https://mcp.example is not accepted'],
    ['CERT_HAS_EXPIRED', {}, 'no', 'doubt', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', {}, 'no', 'doubt', 'is not accepted'],
    ['HPE_INVALID_CONSTANT', { name: 'HTTPParserError' }, 'unknown', 'doubt', 'is no HTTP'],
    ['ECONNRESET', {}, 'unknown', 'doubt', 'the connection to https://mcp.example broke before there was an answer'],
  ])('says what %s means, whether it can have run, and what it tells of the server (B04, B06, B09)', (code, more, executed, evidence, words) => {
    const failure = networkFailure(fetchFailed(code, more), PLACE);
    expect(failure).toMatchObject({ code: 'http-error', executed, evidence, isPassing: true, message: expect.stringContaining(words) as unknown });
    expect(failure.httpStatus).toBeUndefined();
  });

  it('names the code where the words do not', () => {
    expect(networkFailure(fetchFailed('UND_ERR_SOCKET', {}, 'other side closed'), PLACE).message).toContain('(UND_ERR_SOCKET: other side closed)');
  });

  it('looks into an error of several addresses', () => {
    const one = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
    expect(networkFailure(new TypeError('fetch failed', { cause: new AggregateError([one]) }), PLACE)).toMatchObject({ executed: 'no', evidence: 'lost' });
    expect(networkFailure(new TypeError('fetch failed', { cause: Object.assign(new AggregateError([one]), { code: 'ECONNRESET' }) }), PLACE)).toMatchObject({ executed: 'unknown' });
  });

  it('says that the proxy refused', () => {
    expect(networkFailure(fetchFailed('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'), PLACE).message).toContain('the proxy refused to reach https://mcp.example');
  });

  it.each(['just text', undefined, new Error('alone')])('does not know what %s means', (error) => {
    expect(networkFailure(error, PLACE)).toMatchObject({ executed: 'unknown', evidence: 'doubt' });
  });
});

const ANSWER: RefusedAnswer = { status: 400, body: '', contentType: 'text/plain', location: undefined, place: PLACE, hasSession: false, sessionLostOn400: true };

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

  it('that redirects out of the origin names that, without its path', () => {
    expect(statusFailure({ ...ANSWER, status: 302, location: 'https://login.example' })).toMatchObject({ executed: 'no', message: 'status 302: it redirects to https://login.example, which is not followed; if you trust that address, write it in `url`' });
  });

  it.each([
    ['the message of a JSON-RPC error', '{"error":{"code":1,"message":"bad key"}}', ' (it says: bad key)'],
    ['an error that is text', '{"error":"bad key"}', ' (it says: bad key)'],
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
  ])('with status %i and "%s" tells of a session (%s, %s): %s (R46)', (status, body, hasSession, sessionLostOn400, evidence) => {
    expect(statusFailure({ ...ANSWER, status, body, hasSession, sessionLostOn400 })).toMatchObject({ evidence, executed: 'no' });
  });
});

it('calls a web page a web page', () => {
  expect(strangeAnswer('text/html', '', PLACE).message).toBe('https://mcp.example answered with a web page, not with MCP; correct the path in `url`, it often ends in /mcp');
  expect(strangeAnswer('', 'x', PLACE).message).toContain('content of no stated type');
});
