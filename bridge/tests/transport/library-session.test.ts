/** What a session says of its requests, and when it sends none. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { CloseReason } from '../../src/session.ts';
import { CLIENT_INFO } from '../../src/transport/client-info.ts';
import { deferred } from '../../src/transport/deferred.ts';
import { libraryInitializeResult } from '../../src/transport/handshake.ts';
import { ClientSession } from '../../src/transport/library-session.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { SessionWire } from '../../src/transport/session-wire.ts';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';

const SERVER = { protocolVersion: '2025-11-25', name: '', version: '', capabilities: {} };

interface Opened {
  readonly session: ClientSession;
  /** The methods that were sent, the handshake's left out. */
  readonly sent: string[];
  /** Names the end of the connection, as a transport does before it tells of it. */
  readonly lose: (detail: string) => void;
  /** Tells that everything has ended, and how. */
  readonly close: (reason: CloseReason) => void;
}

/** A session whose server gives these results to all but the handshake, or these errors, or says nothing. */
async function open(results: Readonly<Record<string, unknown>> = {}, { isConnected = true, errors = {} }: { isConnected?: boolean; errors?: Readonly<Record<string, object>> } = {}): Promise<Opened> {
  const sent: string[] = [];
  const inner: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      if (!('method' in message)) return Promise.resolve();
      if (message.method === 'initialize') answer(message, { result: {} });
      else if (message.method !== 'notifications/initialized') sent.push(message.method);
      if (message.method in results) answer(message, { result: results[message.method] });
      if (message.method in errors) answer(message, { error: errors[message.method] });
      return Promise.resolve();
    },
  };
  const answer = (message: JSONRPCMessage, outcome: object): void =>
    inner.onmessage?.(Object.assign(JSON.parse('{"jsonrpc":"2.0"}'), { id: 'id' in message ? message.id : undefined, ...outcome }));
  const wire = new SessionWire(inner, {
    onToolListChanged: () => {},
    reports: new ReportLimiter(() => {}, 1, () => 0),
    maxWaitingReplies: 1,
    onInitializeResult: () => libraryInitializeResult(SERVER),
  });
  const client = new Client(CLIENT_INFO, { capabilities: {} });
  if (isConnected) await client.connect(wire);
  let reason: CloseReason | undefined;
  const { promise: closed, resolve: close } = deferred<CloseReason>();
  const session = new ClientSession({
    client,
    wire,
    carrier: {
      transport: wire,
      closed,
      get reason() {
        return reason;
      },
      pid: undefined,
      skipped: 0,
      lastWords: () => '',
    },
    server: SERVER,
    where: 'server "s"',
    redact: (text) => text,
  });
  return {
    session,
    sent,
    close,
    lose: (detail) => {
      reason = { kind: 'exit', detail };
    },
  };
}

describe('a session that sends nothing', () => {
  it('says so when the library sends nothing, also to a caller who gives up at once (B04)', async () => {
    // The library refuses every request of a client that was never connected.
    const { session } = await open({}, { isConnected: false });
    const caller = new AbortController();
    const call = failureOf(session.callTool('t', {}, { ...LIMITS, signal: caller.signal }));
    caller.abort();
    expect(await call).toMatchObject({ code: 'not-connected', executed: 'no' });
  });

  it('says so of a call that was given up before', async () => {
    const { session, sent } = await open();
    const failure = await failureOf(session.callTool('t', {}, { ...LIMITS, signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ code: 'call-aborted', executed: 'no', message: 'server "s": tools/call "t" was given up before it was sent' });
    expect(sent).toEqual([]);
  });

  it('says why once its connection is known to be lost, before that is told', async () => {
    const { session, sent, lose } = await open();
    lose('the process exited with code 3');
    expect(session.isOpen).toBe(false);
    expect(await failureOf(session.callTool('t', {}, LIMITS))).toMatchObject({ code: 'not-connected', message: 'server "s": tools/call "t" was not sent, there is no connection: the process exited with code 3' });
    expect(sent).toEqual([]);
  });

  it('says that the bridge closed it from the moment in which that begins, and needs no word of its transport to end', async () => {
    const { session, sent, lose } = await open();
    expect(session.isOpen).toBe(true);
    const closed = session.close();
    expect(session.isOpen).toBe(false);
    lose('the process exited with code 0');
    expect((await failureOf(session.callTool('t', {}, LIMITS))).message).toMatch(/there is no connection: it was closed by the bridge$/);
    await closed;
    expect(sent).toEqual([]);
  });
});

it('says what is left when it is closed', async () => {
  const { session, close } = await open();
  close({ kind: 'closed-by-bridge', detail: 'closed', leftover: 'process group 7 was still there' });
  await session.closed;
  expect(await failureOf(session.close())).toMatchObject({ code: 'close-incomplete', message: 'server "s": the server was not ended: process group 7 was still there' });
});

describe('what a request is called in a message', () => {
  it.each<readonly [string, unknown, string]>([
    ['no object', [], 'was answered without a `tools` array'],
    ['no list of tools', { tools: {} }, 'was answered without a `tools` array'],
    ['a cursor that is no text', { tools: [], nextCursor: 3 }, 'was answered with a `nextCursor` that is no string'],
  ])('a listing that is answered with %s', async (_what, result, words) => {
    const { session } = await open({ 'tools/list': result });
    expect(await failureOf(session.listToolsPage(undefined, LIMITS))).toMatchObject({ code: 'discovery-failed', message: `server "s": tools/list ${words}` });
  });

  it('a listing that is answered with an error', async () => {
    const { session } = await open({}, { errors: { 'tools/list': { code: -32_603, message: 'no' } } });
    expect(await failureOf(session.listToolsPage(undefined, LIMITS))).toMatchObject({ code: 'discovery-failed', message: 'server "s": tools/list was answered with error -32603: no' });
  });

  it('a listing that takes too long', async () => {
    const { session } = await open();
    expect(await failureOf(session.listToolsPage(undefined, { timeoutMs: 5 }))).toMatchObject({
      code: 'discovery-timeout',
      message: 'server "s": tools/list was not answered within 5 ms: the server may still be working on it; raise `discoveryTimeoutMs` if it needs longer',
    });
  });

  it('a call, by its name up to a hundred characters', async () => {
    const { session } = await open({ 'tools/call': [] });
    const words = async (name: string): Promise<string> => (await failureOf(session.callTool(name, {}, LIMITS))).message;
    expect(await words('t'.repeat(100))).toBe(`server "s": tools/call "${'t'.repeat(100)}" was answered with a result that is no object`);
    expect(await words('t'.repeat(101))).toContain(`tools/call "${'t'.repeat(99)}…" was`);
  });

  it('a call that was given up right before its answer came (B12)', async () => {
    const { session } = await open({ 'tools/call': {} });
    const caller = new AbortController();
    const call = failureOf(session.callTool('t', {}, { ...LIMITS, signal: caller.signal }));
    caller.abort();
    expect(await call).toMatchObject({ code: 'call-aborted', executed: 'yes', message: 'server "s": tools/call "t" was given up by the caller right before its answer came' });
  });

  it('a call that may be extended, by the option of its whole time once that is up (B11)', async () => {
    const { session } = await open();
    expect((await failureOf(session.callTool('t', {}, { timeoutMs: 5 }))).message).toContain('raise `toolCallTimeoutMs`');
    // The library's timer for the whole is begun first, and both are due in the same millisecond.
    expect((await failureOf(session.callTool('t', {}, { timeoutMs: 5, maxTotalMs: 5.5 }))).message).toMatch(/within 5.5 ms.*raise `toolCallMaxTotalMs`/);
  });
});

it('takes a cursor that is null for none', async () => {
  const { session } = await open({ 'tools/list': { tools: [], nextCursor: null } });
  expect(await session.listToolsPage(undefined, LIMITS)).toEqual({ tools: [], nextCursor: undefined });
});
