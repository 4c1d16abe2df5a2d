/** An answer that comes as an event stream: lost, resumed, ended without the answer, too long (B04, B05, B10, R49). */
import { describe, expect, it, vi } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { answer, breakOff, closed, event, LIST_CHANGED, RawServer, refuse, said, stream, type SeenRequest } from './raw-server.ts';

describe('the stream of an answer', () => {
  it('brings notices and the answer', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, LIST_CHANGED, answer(request, 'done')).end() });
    const { session, changes } = await openHttp(server.url);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('done'));
    expect(changes()).toBe(1);
  });

  it.each([
    ['ends', ({ response }: SeenRequest) => void response.end()],
    ['breaks', breakOff],
  ])('that %s without an answer fails the call at once, which is not sent again', async (_how, end) => {
    const server = await RawServer.start({
      'tools/call': (request) => {
        stream(request, event({ method: 'x' }));
        setImmediate(() => end(request));
      },
    });
    const { session, lost } = await openHttp(server.url);
    const failure = await failureOf(session.callTool('echo', {}, LIMITS));
    expect(failure).toMatchObject({ code: 'http-error', executed: 'unknown', message: expect.stringMatching(/event stream (ended|broke \(.*\)) before the answer came/) as unknown });
    await server.nth('ping', 1);
    expect(server.of('tools/call')).toHaveLength(1);
    expect(lost).toEqual([]);
  });

  it.each([
    ['ended', ({ response }: SeenRequest) => void response.end()],
    ['broken', breakOff],
  ])('that is %s after an event with an id is resumed with it, after the time the server wishes', async (_how, end) => {
    let endedAt = 0;
    const server = await RawServer.start({
      'tools/call': (request) => {
        stream(request, 'id: e-1\nretry: 50\ndata:', event({ id: 'p', method: 'ping' }));
      },
      // Then the events before it have been read.
      answer: (request) => {
        refuse(202)(request);
        endedAt = performance.now();
        for (const call of server.of('tools/call')) end(call);
      },
    });
    server.on('GET', (request) => {
      if (request.headers['last-event-id'] === undefined) return refuse(405)(request);
      const [call] = server.of('tools/call');
      return call === undefined ? false : void stream(request, answer({ ...request, id: call.id }, 'resumed', 'e-2')).end();
    });
    const { session } = await openHttp(server.url);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('resumed'));
    expect(performance.now() - endedAt).toBeGreaterThanOrEqual(49);
    expect(server.of('GET').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e-1']);
    expect(server.of('tools/call')).toHaveLength(1);
  });

  it.each([
    ['405', refuse(405)],
    ['404', refuse(404, 'unknown event')],
    ['JSON', refuse(200, '{}', 'application/json')],
  ])('that cannot be resumed (%s) fails the call at once', async (_what, script) => {
    const server = await RawServer.start({ GET: script, 'tools/call': (request) => void stream(request, 'id: e-1\ndata:').end() });
    const { session, lost } = await openHttp(server.url);
    const failure = await failureOf(session.callTool('echo', {}, LIMITS));
    expect(failure).toMatchObject({ code: 'http-error', executed: 'unknown' });
    // The address has just served the POST: it is the right one.
    expect(failure.message).not.toContain('correct `url`');
    await session.listToolsPage(undefined, LIMITS);
    expect(server.of('tools/call')).toHaveLength(1);
    expect(lost).toEqual([]);
  });

  it('is resumed over failures, and fails the call after so many in a row', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, 'id: e-1\ndata:').end() });
    server.on('GET', (request) => (request.headers['last-event-id'] === undefined ? refuse(405) : refuse(503, 'busy'))(request));
    const { session } = await openHttp(server.url, { limits: { maxStreamAttempts: 3 } });
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown', httpStatus: 503 });
    expect(server.of('GET')).toHaveLength(4);
  });

  it('ends with the call that is given up, while it is read and while it is waited for', async () => {
    const server = await RawServer.start({ GET: (request) => (request.headers['last-event-id'] === undefined ? refuse(405)(request) : void stream(request)) });
    server.on('tools/call', (request) => void (request.params['name'] === 'wait' ? stream(request, 'id: e-1\nretry: 60000\ndata:').end() : stream(request)));
    const { session } = await openHttp(server.url, { limits: { maxStreamRetryMs: 60_000 } });
    for (const name of ['read', 'wait']) {
      const caller = new AbortController();
      const call = failureOf(session.callTool(name, {}, { ...LIMITS, signal: caller.signal }));
      const seen = await server.nth('tools/call', name === 'read' ? 1 : 2);
      caller.abort();
      expect(await call).toMatchObject({ code: 'call-aborted' });
      await closed(seen);
      await server.nth('notifications/cancelled', name === 'read' ? 1 : 2);
    }
    expect(await session.listToolsPage(undefined, LIMITS)).toMatchObject({ tools: [{ name: 'echo' }] });
    expect(server.of('notifications/cancelled').map(({ params }) => params['requestId'])).toEqual(server.of('tools/call').map(({ id }) => id));
    expect(server.of('GET')).toHaveLength(1);
  });

  it('is not read for ever after the answer', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, answer(request, 'done')) });
    const { session } = await openHttp(server.url, { limits: { answerDrainMs: 20 } });
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('done'));
    await closed(await server.nth('tools/call', 1));
  });

  it('of a call that was given up is not read for long while the server does not take the cancellation (B01)', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, LIST_CHANGED), 'notifications/cancelled': () => true });
    const { session } = await openHttp(server.url, { limits: { answerDrainMs: 20, noticePostTimeoutMs: 60_000 } });
    const caller = new AbortController();
    const call = failureOf(session.callTool('echo', {}, { ...LIMITS, signal: caller.signal }));
    const seen = await server.nth('tools/call', 1);
    caller.abort();
    expect(await call).toMatchObject({ code: 'call-aborted' });
    await closed(seen);
    expect((await server.nth('notifications/cancelled', 1)).response.closed).toBe(false);
  });

  it('leaves no timer behind when the session is closed right after the answer (B07)', async () => {
    const drainMs = 59_123;
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, answer(request, 'done')) });
    const { session } = await openHttp(server.url, { limits: { answerDrainMs: drainMs } });
    const [begun, ended] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    try {
      expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('done'));
      const at = begun.mock.calls.findIndex(([, ms]) => ms === drainMs);
      expect(at).not.toBe(-1);
      await session.close();
      expect(ended).toHaveBeenCalledWith(begun.mock.results[at]?.value);
    } finally {
      begun.mockRestore();
      ended.mockRestore();
    }
  });

  it('is no longer followed when the answer came by the other stream', async () => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    server.on('tools/call', (request) => {
      stream(request, 'id: e-1\nretry: 60000\ndata:').end();
      server.of('GET')[0]?.response.write(`${answer(request, 'by the other')}\n\n`);
    });
    const { session } = await openHttp(server.url, { limits: { maxStreamRetryMs: 60_000, answerDrainMs: 10 } });
    await server.nth('GET', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('by the other'));
    expect(server.of('GET')).toHaveLength(1);
  });

  it('is bounded event by event: a longer one fails its call, and the next works', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, answer(request, 'x'.repeat(Number(request.params['name'])))).end() });
    const { session } = await openHttp(server.url, { limits: { maxMessageBytes: 2_000 } });
    expect(await failureOf(session.callTool('3000', {}, LIMITS))).toMatchObject({ code: 'limit-exceeded', executed: 'unknown', message: expect.stringContaining('`maxMessageBytes` (2000)') as unknown });
    expect(await session.callTool('1000', {}, LIMITS)).toEqual(said('x'.repeat(1_000)));
  });

  it('without a byte ends with the time of the call', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request) });
    const { session } = await openHttp(server.url);
    expect(await failureOf(session.callTool('echo', {}, { timeoutMs: 200 }))).toMatchObject({ code: 'call-timeout', executed: 'unknown' });
    await closed(await server.nth('tools/call', 1));
  });

  it('may hold an error without an id, which is about its request', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, event({ id: null, error: { code: -32600, message: 'odd' } })).end() });
    const { session } = await openHttp(server.url);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'rpc-error', rpcCode: -32600 });
  });
});
