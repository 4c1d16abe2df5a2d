/** Event streams over HTTP: missing, lost, resumed, ended without an answer, too long (B04, B05, B10, R48, R49). */
import { describe, expect, it } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { answer, closed, event, RawServer, refuse, said, stream, type SeenRequest } from './raw-server.ts';

const CHANGED = event({ method: 'notifications/tools/list_changed' });

/** Ends the response as a network failure does: in the middle. */
function breakOff({ socket }: SeenRequest): void {
  socket.resetAndDestroy();
}

describe('the stream for notices', () => {
  it.each([
    ['405', refuse(405)],
    ['404', refuse(404, 'no such route')],
    ['406', refuse(406)],
    ['400', refuse(400, 'Bad Request')],
    ['200 and JSON', refuse(200, '{}', 'application/json')],
    ['200 and a web page', refuse(200, '<html>', 'text/html')],
  ])('is not asked for again where a GET is answered with %s', async (_what, script) => {
    const server = await RawServer.start({ GET: script });
    const { session, lost, reports } = await openHttp(server.url);
    await server.nth('GET', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('{}'));
    expect(reports.filter((text) => text.startsWith('debug: the server offers no event stream'))).toHaveLength(1);
    expect(server.of('GET')).toHaveLength(1);
    expect(server.of('ping')).toEqual([]);
    expect(lost).toEqual([]);
  });

  it('brings notices, whatever the chunks', async () => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    const { session, changes } = await openHttp(server.url);
    const { response } = await server.nth('GET', 1);
    response.write(': hello\r\n\r\n');
    response.write(CHANGED.slice(0, 20));
    response.write(`${CHANGED.slice(20)}\n`);
    response.write('\n');
    response.write('event: other\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\ndata: nonsense\n\ndata: [1]\n\n');
    response.write(`${event({ id: 'p', method: 'ping' })}\n\n`);
    await server.nth('answer', 1);
    expect(changes()).toBe(1);
    expect(session.isOpen).toBe(true);
  });

  it('is resumed with the id of its last event, and begun anew without one; then the list is looked at again', async () => {
    const server = await RawServer.start();
    const ids = (): unknown[] => server.of('GET').map(({ headers }) => headers['last-event-id']);
    server.on('GET', (request) => {
      const at = server.of('GET').length;
      const response = stream(request, ...(at === 1 ? [event({ method: 'x' }, 'e\u00e9 1')] : at === 2 ? ['id:\ndata:'] : []));
      if (at < 3) response.end();
    });
    const { changes } = await openHttp(server.url);
    await server.nth('GET', 3);
    expect(ids()).toEqual([undefined, Buffer.from('e\u00e9 1').toString('latin1'), undefined]);
    const { response } = await server.nth('GET', 3);
    response.write(`${event({ id: 'p', method: 'ping' })}\n\n`);
    await server.nth('answer', 1);
    expect(changes()).toBe(1);
  });

  it('causes no look at the list where the server does not tell of changes', async () => {
    const server = await RawServer.start();
    server.capabilities = { tools: {} };
    server.on('GET', (request) => void (server.of('GET').length === 1 ? stream(request).end() : stream(request, event({ id: 'p', method: 'ping' }))));
    const { changes } = await openHttp(server.url);
    await server.nth('answer', 1);
    expect(changes()).toBe(0);
  });

  it('is asked for ever more slowly while it brings nothing, and as the server wishes, within bounds', async () => {
    const at: number[] = [];
    const server = await RawServer.start({
      GET: (request) => {
        at.push(performance.now());
        stream(request, at.length === 1 ? 'retry: 30\ndata:' : ': nothing').end();
      },
    });
    const { session, lost } = await openHttp(server.url, { limits: { maxStreamRetryMs: 120 } });
    await server.nth('GET', 5);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    for (const [index, least] of [29, 59, 119, 119].entries()) expect(waits[index]).toBeGreaterThanOrEqual(least);
    expect(lost).toEqual([]);
    expect(session.isOpen).toBe(true);
  });

  it('is given up after failures in a row, and the session goes on', async () => {
    const server = await RawServer.start({ GET: refuse(503, 'busy') });
    const { session, lost, reports } = await openHttp(server.url, { limits: { maxStreamAttempts: 3 } });
    await server.nth('GET', 3);
    await server.nth('ping', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('{}'));
    expect(reports.filter((text) => text.startsWith('warn: the event stream of the server cannot be had (status 503'))).toHaveLength(1);
    expect(server.of('GET')).toHaveLength(3);
    expect(lost).toEqual([]);
  });

  it('is given up when it was there and the server has it no more, and the session goes on', async () => {
    const server = await RawServer.start();
    server.on('GET', (request) => (server.of('GET').length === 1 ? void stream(request).end() : refuse(405)(request)));
    const { reports, lost } = await openHttp(server.url);
    await server.nth('ping', 1);
    expect(reports.join('\n')).toContain('warn: the event stream of the server cannot be had (status 405');
    expect(lost).toEqual([]);
  });

  it('that comes late may have missed a change', async () => {
    const server = await RawServer.start();
    server.on('GET', (request) => (server.of('GET').length === 1 ? refuse(502)(request) : void stream(request, event({ id: 'p', method: 'ping' }))));
    const { changes } = await openHttp(server.url);
    await server.nth('answer', 1);
    expect(changes()).toBe(1);
  });

  it('is begun anew after an event that is too long', async () => {
    const server = await RawServer.start();
    server.on('GET', (request) => void stream(request, ...(server.of('GET').length === 1 ? [event({ method: 'x' }, '7'), `data: ${'x'.repeat(3_000)}`] : [event({ id: 'p', method: 'ping' })])));
    const { reports, lost } = await openHttp(server.url, { limits: { maxMessageBytes: 2_000 } });
    await server.nth('answer', 1);
    expect(server.of('GET').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined]);
    expect(reports.join('\n')).toMatch(/warn: the event stream was begun anew: .*maxMessageBytes/);
    expect(lost).toEqual([]);
  });

  it('cannot be resumed with an id too long for a header', async () => {
    const server = await RawServer.start();
    server.on('GET', (request) => {
      const response = stream(request, event({ method: 'x' }, 'i'.repeat(2_000)));
      if (server.of('GET').length === 1) response.end();
    });
    await openHttp(server.url);
    expect((await server.nth('GET', 2)).headers['last-event-id']).toBeUndefined();
  });
});

describe('the stream of an answer', () => {
  it('brings notices and the answer', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, CHANGED, answer(request, 'done')).end() });
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

describe('an answer that is none', () => {
  it.each([
    ['JSON of another request', refuse(200, '{"jsonrpc":"2.0","id":99,"result":{}}', 'application/json'), 'no answer to this request'],
    ['no JSON', refuse(200, 'oops', 'application/json'), 'no answer to this request'],
    ['a web page', refuse(200, '<!doctype html><html>', 'text/html; charset=utf-8'), 'answered with a web page, not with MCP'],
    ['another type', refuse(200, 'a,b', 'text/csv'), 'content of the type text/csv'],
    ['202 where no stream could bring it', refuse(202), 'status 202 promises no answer'],
    ['an empty event stream', refuse(200, '', 'text/event-stream'), 'ended before the answer came'],
  ])('fails its call at once: %s', async (_what, script, words) => {
    const server = await RawServer.start({ 'tools/call': script });
    const { session } = await openHttp(server.url);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown', message: expect.stringContaining(words) as unknown });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(session.isOpen).toBe(true);
  });

  it('names no type where the server states none', async () => {
    const server = await RawServer.start({ 'tools/call': ({ response }) => void response.writeHead(200).end('x') });
    const { session } = await openHttp(server.url);
    expect((await failureOf(session.callTool('echo', {}, LIMITS))).message).toContain('content of no stated type');
  });

  it('fails its call at once when it breaks off', async () => {
    const server = await RawServer.start({
      'tools/call': (request) => {
        request.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        request.response.write('{"jsonrpc"');
      },
    });
    const { session } = await openHttp(server.url, {
      fetch: async (...request) => {
        const response = await fetch(...request);
        server.of('tools/call').forEach(breakOff);
        return response;
      },
    });
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown', message: expect.stringContaining('broke off') as unknown });
    await server.nth('ping', 1);
  });

  it.each([202, 204])('may come by the stream for notices after status %i', async (status) => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    server.on('tools/call', (request) => {
      refuse(status)(request);
      server.of('GET')[0]?.response.write(`${answer(request, 'later')}\n\n`);
    });
    const { session } = await openHttp(server.url, { limits: { answerDrainMs: 10 } });
    await server.nth('GET', 1);
    // The client has the headers of the stream once it answers a ping that came by it.
    server.of('GET')[0]?.response.write(`${event({ id: 'p', method: 'ping' })}\n\n`);
    await server.nth('answer', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('later'));
  });

  it('may be in a batch', async () => {
    const server = await RawServer.start({ 'tools/call': ({ response, id }) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([1, { jsonrpc: '2.0', id, result: said('first') }])) });
    const { session } = await openHttp(server.url);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('first'));
  });
});
