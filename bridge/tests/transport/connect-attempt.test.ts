import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { connectFailure, withinConnectLimit, type FailedAttempt } from '../../src/transport/connect-attempt.ts';
import type { WireOutcome } from '../../src/transport/sent-request.ts';

const ATTEMPT: FailedAttempt = {
  error: new Error('the library closed'),
  initialize: undefined,
  end: { kind: 'closed-by-bridge', detail: 'closed by the bridge' },
  lastWords: '',
  where: 'server "s"',
  redact: (text) => text.replaceAll('hush', '[redacted]'),
};

/** The message of an attempt whose `initialize` ended so. */
function failure(outcome: WireOutcome, more: Partial<FailedAttempt> = {}): { readonly message: string; readonly rpcCode: number | undefined } {
  return connectFailure({ ...ATTEMPT, initialize: { id: 0, method: 'initialize', outcome, result: undefined }, ...more });
}

it.each<readonly [string, unknown, string, number | undefined]>([
  ['in the usual form', { code: -32_000, message: 'license expired' }, 'error -32000: license expired', -32_000],
  ['with a secret in it', { code: 1, message: 'token hush' }, 'error 1: token [redacted]', 1],
  ['without a code or a message', {}, 'error without a code: no message', undefined],
  ['whose message is empty', { code: 1, message: '' }, 'error 1: no message', 1],
  ['that is plain text', 'license expired', 'error without a code: license expired', undefined],
  ['that is null', null, 'error without a code: no message', undefined],
])('repeats an error answer to initialize %s (B06)', (_what, error, words, rpcCode) => {
  expect(failure({ kind: 'error', error })).toMatchObject({ code: 'connect-failed', message: `server "s": initialize was answered with ${words}`, rpcCode });
});

it("adds the server's last words", () => {
  expect(failure({ kind: 'error', error: 'no' }, { lastWords: 'its stderr ended with:\nout of cheese' }).message).toMatch(/no; its stderr ended with:\nout of cheese$/);
});

it('says that a program repeats what it is sent', () => {
  expect(failure({ kind: 'echoed' }, { lastWords: 'its stderr ended with:\nhello' }).message).toBe(
    'server "s": initialize came back as it was sent: what is there repeats its input and is no MCP server; correct `command` or `url`; its stderr ended with:\nhello',
  );
});

it('says how the connection ended when it ended by itself', () => {
  const end = { kind: 'exit', detail: 'the process exited with code 3' } as const;
  expect(connectFailure({ ...ATTEMPT, end }).message).toBe('server "s": before it answered initialize, the process exited with code 3');
});

it('says what kept initialize from being sent, and otherwise what the library said', () => {
  const error = new BridgeError('http-error', 'status 401: the server refuses the key hush', { httpStatus: 401 });
  expect(failure({ kind: 'send-failed', error })).toMatchObject({ code: 'connect-failed', message: 'server "s": status 401: the server refuses the key [redacted]', httpStatus: 401, cause: error });
  expect(failure({ kind: 'send-failed', error: 'no input' })).toMatchObject({ message: 'server "s": no input', httpStatus: undefined });
  expect(connectFailure(ATTEMPT)).toMatchObject({ message: 'server "s": the library closed', cause: ATTEMPT.error });
});

it('calls a failed HTTP request after initialize a failed connection', () => {
  const error = new BridgeError('http-error', 'status 404: no such hush', { httpStatus: 404 });
  expect(connectFailure({ ...ATTEMPT, error })).toMatchObject({ code: 'connect-failed', message: 'server "s": status 404: no such [redacted]', httpStatus: 404 });
});

describe('the limit of an attempt', () => {
  it('leaves neither a timer nor a listener behind', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      await withinConnectLimit(Promise.resolve(), 1_000, signal);
      await expect(withinConnectLimit(Promise.reject(new Error('no')), 1_000, signal)).rejects.toThrow('no');
      expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says that connecting was given up', async () => {
    const owner = new AbortController();
    const attempt = withinConnectLimit(new Promise(() => {}), 1_000, owner.signal);
    owner.abort();
    await expect(attempt).rejects.toMatchObject({ code: 'disposed', message: 'connecting was given up' });
  });
});
