import { describe, expect, it } from 'vitest';
import { networkFailure } from '../../src/transport/network-failure.ts';

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

  it.each(['just text', undefined, new Error('alone')])('does not know what %s means', (error) => {
    expect(networkFailure(error, PLACE)).toMatchObject({ executed: 'unknown', evidence: 'doubt' });
  });
});

it('says that fetch blocks a port, which no try changes', () => {
  const failure = networkFailure(fetchFailed(undefined, {}, 'bad port'), 'http://127.0.0.1:6000');
  expect(failure).toMatchObject({ executed: 'no', evidence: 'none', isPassing: false });
  expect(failure.message).toBe('the port of http://127.0.0.1:6000 is one to which fetch sends nothing, since other services own it (bad port); let the server listen at another port and correct `url`');
});

describe('a request through a proxy that got no answer', () => {
  const PROXY = { address: 'http://me:canary@proxy.example:3128', shown: 'http://proxy.example:3128', variable: 'HTTPS_PROXY' };
  const THERE = 'the proxy http://proxy.example:3128, through which https://mcp.example is asked for,';
  const FIX = "correct HTTPS_PROXY, or name the server's host in NO_PROXY";

  it.each([
    ['ECONNREFUSED', 'no', 'lost', `nobody listens at ${THERE} (connect ECONNREFUSED 10.0.0.1:443); start the proxy, ${FIX}`],
    ['ENOTFOUND', 'no', 'lost', `the host name of ${THERE} cannot be resolved (connect ENOTFOUND 10.0.0.1:443); ${FIX}`],
    ['EAI_AGAIN', 'no', 'lost', `the host name of ${THERE} cannot be resolved`],
    ['ENETUNREACH', 'no', 'lost', `${THERE} cannot be reached (connect ENETUNREACH 10.0.0.1:443); ${FIX}`],
    ['UND_ERR_CONNECT_TIMEOUT', 'no', 'lost', `${THERE} cannot be reached`],
    ['EHOSTUNREACH', 'unknown', 'doubt', `${THERE} cannot be reached`],
    ['ETIMEDOUT', 'unknown', 'doubt', `${THERE} cannot be reached`],
  ])('blames %s on the proxy (B06, B29)', (code, executed, evidence, words) => {
    const failure = networkFailure(fetchFailed(code), PLACE, PROXY);
    expect(failure).toMatchObject({ executed, evidence, message: expect.stringContaining(words) as unknown });
    expect(failure.message).not.toContain('canary');
  });

  it('says that what answers in place of the proxy is no HTTP', () => {
    expect(networkFailure(fetchFailed('HPE_INVALID_CONSTANT', { name: 'HTTPParserError' }), PLACE, PROXY).message).toContain(`what ${THERE} answered is no HTTP`);
  });

  it('says that the proxy refused', () => {
    const failure = networkFailure(fetchFailed('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'), PLACE, PROXY);
    expect(failure.message).toBe(`${THERE} refused to reach it (UND_ERR_ABORTED: Proxy response (403) !== 200 when HTTP Tunneling); look at its rules, ${FIX}`);
  });

  it('leaves to the server what comes after the proxy', () => {
    expect(networkFailure(fetchFailed('CERT_HAS_EXPIRED'), PLACE, PROXY).message).toContain('TLS certificate of https://mcp.example');
    expect(networkFailure(fetchFailed('ECONNRESET'), PLACE, PROXY).message).toContain('the connection to https://mcp.example broke');
  });
});

it('has no code to name where the error has none, and takes nothing for certain then', () => {
  expect(networkFailure(new Error('alone'), PLACE).message).toContain('(alone)');
  expect(networkFailure(fetchFailed(undefined, { syscall: 'connect' }), PLACE)).toMatchObject({ executed: 'unknown', evidence: 'doubt' });
});

it('finds the words in a chain of causes without an end', () => {
  const circle = new Error('round and round');
  circle.cause = circle;
  expect(networkFailure(circle, PLACE).message).toContain('round and round');
});
