import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { redactError, redactRejection } from '../src/redact-error.ts';

const redact = (text: string): string => text.replaceAll('canary', '[redacted]');

const told = (text: string): string => text.replaceAll('secret', '[out]');

describe('redactError', () => {
  it('keeps code and facts, and takes a secret out of the message and of every cause (B18)', () => {
    const root = Object.assign(new TypeError('refused canary'), { body: 'canary' });
    const middle = new BridgeError('http-error', 'it says canary', { cause: root, httpStatus: 401 });
    const clean = redactError(new BridgeError('connect-failed', 'not canary', { cause: middle, httpStatus: 401, executed: 'no', rpcCode: 5 }), redact);
    expect(clean).toMatchObject({ code: 'connect-failed', message: 'not [redacted]', httpStatus: 401, executed: 'no', rpcCode: 5 });
    expect(clean.cause).toMatchObject({ code: 'http-error', message: 'it says [redacted]', httpStatus: 401, cause: { message: 'refused [redacted]' } });
    expect(inspect(clean, { depth: 20 })).not.toContain('canary');
    expect(inspect(clean, { depth: 20 })).toContain('TypeError: refused [redacted]');
  });

  it('leaves an error alone that holds none, its causes and other errors too', () => {
    const error = new BridgeError('connect-failed', 'no', { cause: new Error('why', { cause: { code: 'ENOENT' } }) });
    expect(redactError(error, redact)).toBe(error);
    const foreign = new Error('canary');
    expect(redactError(foreign, redact)).toBe(foreign);
    expect(redactError(undefined, redact)).toBeUndefined();
  });

  it('finds a secret however deep it lies in a cause (B18)', () => {
    const cause = Object.assign(new Error('refused'), { answer: { body: { error: { details: [{ token: 'canary' }] } } } });
    const clean = redactError(new BridgeError('http-error', 'no', { cause }), redact);
    expect(inspect(clean, { depth: 20 })).not.toContain('canary');
    expect(clean.cause).toMatchObject({ message: 'refused' });
  });

  it('makes up no cause for an error that has none', () => {
    const error = new BridgeError('rpc-error', 'no');
    expect(redactError(error, (text) => text.replaceAll('undefined', '[redacted]'))).toBe(error);
  });

  it('takes a cause of any kind, and a chain without an end', () => {
    expect(redactError(new BridgeError('rpc-error', 'no', { cause: 'canary' }), redact).cause).toMatchObject({ message: '[redacted]', stack: 'Error: [redacted]' });
    let deep = new BridgeError('rpc-error', 'canary');
    for (let depth = 0; depth < 60; depth += 1) deep = new BridgeError('rpc-error', 'no', { cause: deep });
    expect(inspect(redactError(deep, redact), { depth: 100 })).not.toContain('canary');
    const circle = new BridgeError('rpc-error', 'canary');
    Object.assign(circle, { cause: circle });
    expect(inspect(redactError(circle, redact), { depth: 100 })).not.toContain('canary');
  });
});

describe('redactRejection', () => {
  it('has words of their own for what a tool says of itself', async () => {
    for (const [code, words] of [['tool-error', 'canary [out]'], ['rpc-error', '[redacted] secret']] as const) {
      await expect(redactRejection(Promise.reject(new BridgeError(code, 'canary secret')), redact, told)).rejects.toThrow(words);
    }
    await expect(redactRejection(Promise.resolve(1), redact)).resolves.toBe(1);
  });
});
