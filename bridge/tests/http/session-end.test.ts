/** A session or a server that goes away over HTTP is noticed, and what met its end is told the truth (B04, B05, B09, R46). */
import { describe, expect, it } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { breakOff, closed, RawServer, refuse, said, stream, type SeenRequest } from './raw-server.ts';

const EXPIRED = { code: 'http-error', executed: 'no' };

/** The error with which some servers answer requests of a session that they do not know. */
function notFound({ id }: SeenRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } });
}

/** Answers so, with status 200. */
function unknownSession(request: SeenRequest): void {
  refuse(200, notFound(request), 'application/json')(request);
}

describe('an expired session', () => {
  it.each([
    ['404 and nothing', 404, ''],
    ['404 and any text', 404, 'gone fishing'],
    ['404 and -32001', 404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
    ['410', 410, ''],
  ])('is over by %s: the call did not run, and the next is not sent', async (_dialect, status, body) => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    server.on('tools/call', refuse(status, body));
    const failure = await failureOf(session.callTool('echo', {}, LIMITS));
    expect(failure).toMatchObject({ ...EXPIRED, httpStatus: status, message: expect.stringContaining('does not know this session any more') as unknown });
    expect(session.isOpen).toBe(false);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'not-connected', executed: 'no' });
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining(`status ${status}`) as unknown });
    expect(lost).toHaveLength(1);
    expect(server.of('tools/call')).toHaveLength(1);
    await session.close();
    expect(server.of('DELETE')).toEqual([]);
  });

  it.each(['Bad Request: No valid session ID provided', '{"error":{"code":-32000,"message":"Session not found"}}', 'Bad Request: Server not initialized'])('is over by 400 and "%s" when a ping gets it too', async (words) => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    server.on('POST', refuse(400, words));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ ...EXPIRED, httpStatus: 400 });
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('session') as unknown });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(server.of('ping')).toHaveLength(1);
  });

  it('is not over by 400 that only one call gets', async () => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    server.on('tools/call', (request) => (request.params['name'] === 'odd' ? refuse(400, 'session is a reserved word')(request) : false));
    expect(await failureOf(session.callTool('odd', {}, LIMITS))).toMatchObject({ ...EXPIRED, httpStatus: 400 });
    await server.nth('ping', 1);
    expect(await session.callTool('echo', { a: 1 }, LIMITS)).toEqual(said('{"a":1}'));
    expect(lost).toEqual([]);
  });

  it.each([
    ['by 400 when the option says so', { sessionLostOn400: false }, 400, 'No valid session ID'],
    ['by 400 that says nothing of a session', {}, 400, 'bad arguments'],
    ['by 401', {}, 401, 'session'],
    ['by 503', {}, 503, 'session'],
  ])('is not over %s', async (_why, options, status, words) => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url, options);
    server.on('tools/call', refuse(status, words));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', httpStatus: status });
    await session.listToolsPage(undefined, LIMITS);
    expect(server.of('ping')).toEqual([]);
    expect(lost).toEqual([]);
  });

  it('is over by 401 that says that it expired, when a ping gets it too', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    server.on('POST', refuse(401, 'session expired'));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ ...EXPIRED, httpStatus: 401 });
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('session expired') as unknown });
    expect([server.of('tools/call').length, server.of('ping').length]).toEqual([1, 1]);
  });

  it.each([
    ['JSON', unknownSession],
    ['an event stream', (request: SeenRequest): unknown => stream(request, `data: ${notFound(request)}`).end()],
  ])('is over by status 200 and error -32001 as %s, when a ping gets it too: the calls did not run', async (_form, tell) => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    server.on('POST', tell);
    const failures = await Promise.all([1, 2].map(() => failureOf(session.callTool('echo', {}, LIMITS))));
    for (const failure of failures) expect(failure).toMatchObject({ ...EXPIRED, rpcCode: -32_001, message: 'server "web": tools/call "echo" failed: the server does not know this session any more (it says: Session not found)' });
    expect(await session.closed).toMatchObject({ kind: 'http', detail: 'the server does not know this session any more (it says: Session not found)' });
    expect(lost).toHaveLength(1);
    expect([server.of('tools/call').length, server.of('ping').length]).toEqual([2, 1]);
  });

  it("is not over by such an error of a tool's own, which is handed on as it came", async () => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    server.on('tools/call', (request) => (request.params['name'] === 'odd' ? unknownSession(request) : false));
    expect(await failureOf(session.callTool('odd', {}, LIMITS))).toMatchObject({ code: 'rpc-error', rpcCode: -32_001, executed: 'unknown' });
    expect(server.of('ping')).toHaveLength(1);
    expect(await session.callTool('echo', { a: 1 }, LIMITS)).toEqual(said('{"a":1}'));
    expect(lost).toEqual([]);
  });

  it.each([
    ['the option says so', { sessionLostOn400: false }, true],
    ['there is none', {}, false],
  ])('is not asked after by a ping when %s', async (_why, options, hasSessions) => {
    const server = await RawServer.start();
    server.hasSessions = hasSessions;
    const { session } = await openHttp(server.url, options);
    server.on('tools/call', unknownSession);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'rpc-error', rpcCode: -32_001 });
    await session.listToolsPage(undefined, LIMITS);
    expect(server.of('ping')).toEqual([]);
  });

  it('settles a call that waits for its ping when the session is closed', async () => {
    const server = await RawServer.start({ ping: () => {} });
    const { session } = await openHttp(server.url);
    server.on('tools/call', unknownSession);
    const call = failureOf(session.callTool('echo', {}, LIMITS));
    await server.nth('ping', 1);
    await session.close();
    expect(await call).toMatchObject({ code: 'connection-lost' });
  });

  it('is none where the server gave no session', async () => {
    const server = await RawServer.start();
    server.hasSessions = false;
    const { session } = await openHttp(server.url);
    server.on('tools/call', refuse(404));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', httpStatus: 404, executed: 'no' });
    expect(session.isOpen).toBe(true);
    expect(server.of('tools/call')[0]?.headers['mcp-session-id']).toBeUndefined();
  });

  it('is told to each of the calls that meet it at once, and none of them ran', async () => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    server.forget();
    const failures = await Promise.all([1, 2, 3, 4].map(() => failureOf(session.callTool('echo', {}, LIMITS))));
    for (const failure of failures) expect(failure).toMatchObject({ ...EXPIRED, httpStatus: 404 });
    await session.closed;
    expect(lost).toHaveLength(1);
  });

  it('ends the other calls too, of which nobody knows whether they ran', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url, { limits: { lossGraceMs: 20 } });
    server.on('tools/call', (request) => (request.params['name'] === 'hang' ? undefined : refuse(404)(request)));
    const hanging = failureOf(session.callTool('hang', {}, LIMITS));
    await server.nth('tools/call', 1);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject(EXPIRED);
    expect(await hanging).toMatchObject({ code: 'connection-lost', executed: 'unknown', message: expect.stringContaining('status 404') as unknown });
  });
});

describe('a server that is gone', () => {
  it('is noticed by a call that finds nobody', async () => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url);
    await server.stop();
    const failure = await failureOf(session.callTool('echo', {}, LIMITS));
    expect(failure).toMatchObject({ code: 'http-error', executed: 'no', message: expect.stringContaining('nobody listens at http://127.0.0.1:') as unknown });
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('ECONNREFUSED') as unknown });
    expect(lost).toHaveLength(1);
  });

  it('is noticed by a call that it breaks off: whether it ran is unknown', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    server.on('tools/call', () => void server.stop());
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown' });
    expect(await session.closed).toMatchObject({ kind: 'http' });
    expect(server.of('tools/call')).toHaveLength(1);
  });

  it('is noticed while nothing is asked of it, by its event stream', async () => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    const { session, lost } = await openHttp(server.url);
    await server.nth('GET', 1);
    await server.stop();
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('nobody listens') as unknown });
    expect(lost).toHaveLength(1);
  });

  it('is noticed when it came back as another, by its event stream and a ping', async () => {
    const server = await RawServer.start({ GET: (request) => (request.headers['mcp-session-id'] === 'session-1' && server.starts === 1 ? void stream(request) : false) });
    const { session } = await openHttp(server.url);
    await server.nth('GET', 1);
    await server.stop();
    await server.listen();
    expect(await session.closed).toMatchObject({ kind: 'http', detail: expect.stringContaining('does not know this session any more') as unknown });
    expect(server.of('ping')).toHaveLength(1);
  });

  it.each([true, false])('is not gone when one connection breaks (with sessions: %s)', async (hasSessions) => {
    const server = await RawServer.start();
    server.hasSessions = hasSessions;
    const { session, lost } = await openHttp(server.url);
    server.on('tools/call', (request) => (request.params['name'] === 'reset' ? breakOff(request) : false));
    expect(await failureOf(session.callTool('reset', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown' });
    await server.nth('ping', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('{}'));
    expect(lost).toEqual([]);
  });

  it('is gone when the network fails its ping twice', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    server.on('POST', breakOff);
    await failureOf(session.callTool('echo', {}, LIMITS));
    expect(await session.closed).toMatchObject({ kind: 'http' });
    expect(server.of('ping')).toHaveLength(2);
  });

  it('is not gone because it is silent', async () => {
    const server = await RawServer.start();
    const { session, lost } = await openHttp(server.url, { limits: { probeTimeoutMs: 20 } });
    server.on('ping', () => {});
    server.on('tools/call', breakOff);
    // A busy machine may not even send a ping within its time: doubt until one came.
    const doubtUntil = async (pings: number): Promise<void> => {
      while (server.of('ping').length < pings) await failureOf(session.callTool('echo', {}, LIMITS));
    };
    await doubtUntil(1);
    // It is given up at its limit, and the next doubt is looked into again.
    await closed(await server.nth('ping', 1));
    await doubtUntil(2);
    expect(lost).toEqual([]);
  });

  it('is looked for by one ping at a time', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    server.on('ping', () => {});
    server.on('tools/call', breakOff);
    await Promise.all([1, 2, 3].map(() => failureOf(session.callTool('echo', {}, LIMITS))));
    await server.nth('ping', 1);
    expect(server.of('ping')).toHaveLength(1);
    // Closing does not wait for it.
    await session.close();
  });
});
