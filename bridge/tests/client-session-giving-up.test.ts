/** A call that is given up, by its caller or by the clock. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { failureOf, LIMITS, openScripted } from './helpers/scripted-session.ts';

const cancelled = (messages: readonly { method?: string }[]): unknown[] => messages.filter(({ method }) => method === 'notifications/cancelled');

describe('giving a call up', () => {
  it('sends exactly one cancellation with the right id, and takes a late answer for nothing', async () => {
    const { session, ask, received } = await openScripted();
    const caller = new AbortController();
    const call = failureOf(session.callTool('hang', {}, { ...LIMITS, signal: caller.signal }));
    await ask('echo');
    caller.abort(new Error('secret reason'));
    expect(await call).toMatchObject({ code: 'call-aborted', executed: 'unknown' });
    await ask('release');
    const messages = await received();
    const hanging = messages.find(({ params }) => params?.['name'] === 'hang');
    expect(cancelled(messages)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: hanging?.id, reason: 'the caller gave up' } },
    ]);
    expect(session.isOpen).toBe(true);
  });

  it('uses no answer that comes with the abort, and needs no cancellation then', async () => {
    const caller = new AbortController();
    const { session, ask, received } = await openScripted([], {
      decorateTransport: (transport) => {
        const send = transport.send.bind(transport);
        // Answered in the very turn in which it is sent and given up: nothing can have heard of the abort in between.
        transport.send = async (message: JSONRPCMessage) => {
          if (!('method' in message) || message.method !== 'tools/call' || message.params?.['name'] !== 'at-once' || !('id' in message)) return send(message);
          caller.abort();
          transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result: { content: [] } });
        };
        return transport;
      },
    });
    const failure = await failureOf(session.callTool('at-once', {}, { ...LIMITS, signal: caller.signal }));
    expect(failure).toMatchObject({ code: 'call-aborted', executed: 'yes' });
    await ask('echo');
    expect(cancelled(await received())).toEqual([]);
  });

  it('says timeout, not abort, when the time is up, and cancels once', async () => {
    const { session, ask, received } = await openScripted();
    const caller = new AbortController();
    const failure = await failureOf(session.callTool('hang', {}, { timeoutMs: 20, signal: caller.signal }));
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown' });
    expect(failure.message).toContain('not answered within 20 ms');
    caller.abort();
    await ask('release');
    const messages = await received();
    expect(cancelled(messages)).toHaveLength(1);
    expect(cancelled(messages)[0]).toMatchObject({ params: { requestId: messages.find(({ params }) => params?.['name'] === 'hang')?.id } });
  });

  it.each([
    ['a result that is no JSON', '{"jsonrpc":"2.0","id":%ID%,"result":{"n":NaN}}\n', /skipped a line on stdout/],
    ['a result without a version', '{"id":%ID%,"result":{}}\n', /skipped a line on stdout/],
    ['an error without an id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n', /^the server sent an error that belongs to no request: error -32700: Parse error$/],
  ])('says when the time is up that the server sent something meanwhile: %s (B06)', async (_what, text, report) => {
    const diagnostics: string[] = [];
    const { session } = await openScripted([], { listeners: { onToolListChanged: () => {}, onDiagnostic: (level, message) => level === 'warn' && diagnostics.push(message) } });
    const failure = await failureOf(session.callTool('raw', { text }, { timeoutMs: 300 }));
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown' });
    expect(failure.message).toMatch(/raise `toolCallTimeoutMs` if it needs longer; meanwhile it sent something that answered no request or was no JSON-RPC message, perhaps the answer: see the log$/);
    expect(diagnostics).toContainEqual(expect.stringMatching(report));
    expect((await failureOf(session.callTool('hang', {}, { timeoutMs: 20 }))).message).toMatch(/if it needs longer$/);
  });

  it('tells an error answer that carries the code of a timeout from a timeout', async () => {
    const { session } = await openScripted();
    const failure = await failureOf(session.callTool('fail', { code: -32001, message: 'Request timed out' }, LIMITS));
    expect(failure.code).toBe('rpc-error');
  });

  it('sends nothing for a call that was given up before', async () => {
    const { session, received } = await openScripted();
    const failure = await failureOf(session.callTool('echo', {}, { ...LIMITS, signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ code: 'call-aborted', executed: 'no' });
    expect((await received()).filter(({ params }) => params?.['name'] === 'echo')).toEqual([]);
  });

  it('takes a time no timer can hold for the longest one', async () => {
    const { session } = await openScripted();
    expect(await session.callTool('echo', {}, { timeoutMs: 2 ** 40 })).toEqual({ structuredContent: {} });
    expect(await session.callTool('echo', {}, { timeoutMs: Infinity })).toEqual({ structuredContent: {} });
  });

  it('says that a listing took too long', async () => {
    const { session } = await openScripted([], {
      decorateTransport: (transport) => {
        const send = transport.send.bind(transport);
        transport.send = (message: JSONRPCMessage) => ('method' in message && message.method === 'tools/list' ? Promise.resolve() : send(message));
        return transport;
      },
    });
    expect(await failureOf(session.listToolsPage(undefined, { timeoutMs: 20 }))).toMatchObject({ code: 'discovery-timeout' });
  });

  it('puts one listener on a signal that many calls share, and cancels each of them', async () => {
    const { session, ask, received } = await openScripted();
    const caller = new AbortController();
    const calls = Array.from({ length: 30 }, () => failureOf(session.callTool('hang', {}, { ...LIMITS, signal: caller.signal })));
    // Not at once: what is over within a millisecond needs none.
    await expect.poll(() => getEventListeners(caller.signal, 'abort').length, { interval: 1 }).toBe(1);
    caller.abort();
    for (const call of calls) expect(await call).toMatchObject({ code: 'call-aborted' });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await ask('release');
    const ids = cancelled(await received()).map((message) => JSON.stringify(message));
    expect(new Set(ids).size).toBe(30);
    expect(ids).toHaveLength(30);
  });

  it('leaves no listener on the signal, however its calls ended', async () => {
    const { session, ask } = await openScripted();
    const { signal } = new AbortController();
    for (let n = 0; n < 200; n += 1) await session.callTool('echo', { n }, { ...LIMITS, signal });
    await failureOf(session.callTool('fail', { code: 1, message: '' }, { ...LIMITS, signal }));
    await failureOf(session.callTool('hang', {}, { timeoutMs: 10, signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await ask('release');
  });
});
