import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { describeHttpError, requestFailure, type RequestContext } from '../../src/transport/request-failure.ts';
import type { SentRequest, WireOutcome } from '../../src/transport/session-wire.ts';

const CONTEXT: RequestContext = {
  where: 'server "s": tools/call "t"',
  timeoutMs: 50,
  timeoutOption: 'toolCallTimeoutMs',
  codes: { timeout: 'call-timeout', error: 'rpc-error' },
  lossDetail: undefined,
  redact: (text) => text.replaceAll('hush', '[redacted]'),
};

function sent(outcome?: WireOutcome): SentRequest {
  return { id: 1, method: 'tools/call', outcome, result: undefined };
}

/** What becomes of a request that could not be sent, or whose answer could not be read. */
function notSent(error: unknown, more: Partial<RequestContext> = {}): BridgeError {
  return requestFailure(sent({ kind: 'send-failed', error }), new Error('unused'), { ...CONTEXT, ...more });
}

/** An error as Node's fetch throws it. */
function fetchFailed(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code} hush`), { code }) });
}

describe('requestFailure', () => {
  it('says that nothing was sent when the library sent nothing (B04)', () => {
    expect(requestFailure(undefined, new Error('Not connected'), CONTEXT)).toMatchObject({ code: 'not-connected', executed: 'no' });
  });

  it('tells a timeout of the library by its code, with the option to raise', () => {
    const failure = requestFailure(sent(), new McpError(ErrorCode.RequestTimeout, 'timed out'), CONTEXT);
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown', message: expect.stringContaining('raise `toolCallTimeoutMs`') as unknown });
  });

  it.each([
    ['why the connection ended', { lossDetail: 'the process exited' }, 'the process exited'],
    ['what the library said, without secrets, where nobody knows why', {}, 'closed by [redacted]'],
  ])('repeats %s', (_what, more, words) => {
    const failure = requestFailure(sent(), new Error('closed by hush'), { ...CONTEXT, ...more });
    expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(failure.message).toBe(`server "s": tools/call "t" got no answer, the connection ended: ${words}`);
  });

  it.each([
    ['ECONNREFUSED', 'no'],
    ['ENOTFOUND', 'no'],
    ['ECONNRESET', 'unknown'],
  ])('knows whether a tool can have run when the network says %s: %s (B04)', (code, executed) => {
    const failure = notSent(fetchFailed(code));
    expect(failure).toMatchObject({ code: 'http-error', executed, httpStatus: undefined });
    expect(failure.message).toBe(`server "s": tools/call "t" failed over HTTP: fetch failed: connect ${code} [redacted]`);
  });

  it.each([
    [401, 'no'],
    [500, 'unknown'],
    [502, 'unknown'],
  ])('knows whether a tool can have run when the answer has status %d: %s (B04, B06)', (status, executed) => {
    const failure = notSent(new StreamableHTTPError(status, 'no'));
    expect(failure).toMatchObject({ code: 'http-error', executed, httpStatus: status });
    expect(failure.message).toContain(`status ${status}, `);
  });

  it.each([-1, undefined])("takes the library's own code %s for no status", (code) => {
    expect(notSent(new StreamableHTTPError(code, 'odd content type'))).toMatchObject({ executed: 'unknown', httpStatus: undefined });
  });

  it.each(['just text', undefined, new Error('alone')])('does not know whether a tool ran after %s', (error) => {
    expect(notSent(error)).toMatchObject({ code: 'http-error', executed: 'unknown' });
  });

  it('gives the end of the connection as the reason when it ended', () => {
    const failure = notSent(fetchFailed('ECONNRESET'), { lossDetail: 'it was closed by the bridge' });
    expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(failure.message).toContain('it was closed by the bridge');
  });

  it("keeps the bridge's own reasons", () => {
    expect(notSent(new BridgeError('not-connected', 'no input'))).toMatchObject({ code: 'not-connected', executed: 'no' });
    const tooLong = new BridgeError('limit-exceeded', 'more than `maxMessageBytes`', { executed: 'yes' });
    expect(notSent(tooLong)).toMatchObject({ code: 'limit-exceeded', executed: 'yes', message: 'server "s": tools/call "t" failed: more than `maxMessageBytes`' });
  });
});

it('describes a failed HTTP request by its status and by what is behind it (B06)', () => {
  expect(describeHttpError(new StreamableHTTPError(404, 'gone'))).toMatch(/^status 404, .*gone$/);
  expect(describeHttpError(new StreamableHTTPError(-1, 'odd'))).toMatch(/^Streamable HTTP error: odd$/);
  expect(describeHttpError(fetchFailed('ENOTFOUND'))).toBe('fetch failed: connect ENOTFOUND hush');
  expect(describeHttpError('text')).toBe('text');
});
