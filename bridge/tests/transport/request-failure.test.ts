import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { sessionLostAnswer } from '../../src/transport/lost-session.ts';
import { requestFailure, type RequestContext } from '../../src/transport/request-failure.ts';
import type { SentRequest, WireOutcome } from '../../src/transport/sent-request.ts';

const CONTEXT: RequestContext = {
  where: 'server "s": tools/call "t"',
  timeoutMs: 50,
  silenceMs: 20,
  timeoutOption: 'toolCallTimeoutMs',
  codes: { timeout: 'call-timeout', error: 'rpc-error' },
  lossDetail: undefined,
  skipped: 0,
  redact: (text) => text.replaceAll('hush', '[redacted]'),
};

function sent(outcome?: WireOutcome): SentRequest {
  return { id: 1, method: 'tools/call', outcome, result: undefined };
}

/** What becomes of a request that could not be sent, or whose answer could not be read. */
function notSent(error: unknown, more: Partial<RequestContext> = {}): BridgeError {
  return requestFailure(sent({ kind: 'send-failed', error }), new Error('unused'), { ...CONTEXT, ...more });
}

describe('requestFailure', () => {
  it('says that nothing was sent when the library sent nothing (B04)', () => {
    const words = 'server "s": tools/call "t" was not sent, there is no connection';
    expect(requestFailure(undefined, new Error('Not connected'), CONTEXT)).toMatchObject({ code: 'not-connected', executed: 'no', message: words });
    expect(requestFailure(undefined, new Error('Not connected'), { ...CONTEXT, lossDetail: 'the process exited' }).message).toBe(`${words}: the process exited`);
  });

  it('says who gave a call up', () => {
    const failure = requestFailure(sent({ kind: 'aborted' }), new Error('unused'), CONTEXT);
    expect(failure).toMatchObject({ code: 'call-aborted', executed: 'unknown', message: 'server "s": tools/call "t" was given up by the caller' });
  });

  it.each([
    [-32_601, 'no'], [-32_602, 'no'], [-32_603, 'unknown'],
  ])('tells by the code %i of an error whether the tool can have run: %s', (code, executed) => {
    expect(requestFailure(sent({ kind: 'error', error: { code, message: 'no hush' } }), new Error('unused'), CONTEXT)).toMatchObject({
      code: 'rpc-error', rpcCode: code, executed, message: `server "s": tools/call "t" was answered with error ${code}: no [redacted]`,
    });
  });

  it('says that the server does not know the session any more, and so has not run it', () => {
    const { error } = sessionLostAnswer({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'session hush not found' } });
    expect(requestFailure(sent({ kind: 'error', error }), new Error('unused'), CONTEXT)).toMatchObject({
      code: 'http-error', rpcCode: -32_001, executed: 'no',
      message: 'server "s": tools/call "t" failed: the server does not know this session any more (it says: session [redacted] not found)',
    });
  });

  it('tells a timeout of the library by its code, with the option to raise', () => {
    const failure = requestFailure(sent(), new McpError(ErrorCode.RequestTimeout, 'timed out'), CONTEXT);
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown', message: expect.stringContaining('raise `toolCallTimeoutMs`') as unknown });
  });

  it.each([
    [1, '; meanwhile it sent something that answered no request or was no JSON-RPC message, perhaps the answer: see the log'],
    [7, '; meanwhile it sent 7 things that answered no request or were no JSON-RPC message, perhaps the answer: see the log'],
  ])('says that %i things were skipped before the time was up (B06)', (skipped, words) => {
    const timedOut = requestFailure(sent(), new McpError(ErrorCode.RequestTimeout, 'timed out'), { ...CONTEXT, skipped });
    expect(timedOut.message).toBe(`server "s": tools/call "t" was not answered within 50 ms: the server may still be working on it; raise \`toolCallTimeoutMs\` if it needs longer${words}`);
    expect(requestFailure(sent({ kind: 'silent' }), new Error('unused'), { ...CONTEXT, skipped }).message).toMatch(new RegExp(`${words}$`));
  });

  it.each([
    ['why the connection ended', { lossDetail: 'the process exited' }, 'the process exited'],
    ['what the library said, without secrets, where nobody knows why', {}, 'closed by [redacted]'],
  ])('repeats %s', (_what, more, words) => {
    const failure = requestFailure(sent(), new Error('closed by hush'), { ...CONTEXT, ...more });
    expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(failure.message).toBe(`server "s": tools/call "t" got no answer, the connection ended: ${words}`);
  });

  it('tells silence from a timeout, with the option to raise (B11)', () => {
    const failure = requestFailure(sent({ kind: 'silent' }), new Error('unused'), CONTEXT);
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown', message: expect.stringContaining('neither an answer nor progress for 20 ms') as unknown });
  });

  it.each([undefined, 'just text', new Error('alone')])('does not know whether a tool ran after %s', (error) => {
    expect(notSent(error)).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
  });

  it('removes secrets from what a transport says (B18)', () => {
    expect(notSent(new BridgeError('http-error', 'bad key hush', { executed: 'no', httpStatus: 401 }))).toMatchObject({ executed: 'no', httpStatus: 401, message: 'server "s": tools/call "t" failed: bad key [redacted]' });
  });

  it('gives the end of the connection as the reason when it ended', () => {
    const failure = notSent(new Error('write EPIPE'), { lossDetail: 'it was closed by the bridge' });
    expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(failure.message).toContain('it was closed by the bridge');
  });

  it("keeps the bridge's own reasons", () => {
    expect(notSent(new BridgeError('not-connected', 'no input'))).toMatchObject({ code: 'not-connected', executed: 'no' });
    const tooLong = new BridgeError('limit-exceeded', 'more than `maxMessageBytes`', { executed: 'yes' });
    expect(notSent(tooLong)).toMatchObject({ code: 'limit-exceeded', executed: 'yes', message: 'server "s": tools/call "t" failed: more than `maxMessageBytes`' });
  });
});
