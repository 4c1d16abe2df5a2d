/** The event stream on which a server speaks unasked: missing, lost, resumed, given up (B10, R48). */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { event, LIST_CHANGED, RawServer, refuse, said, stream } from './raw-server.ts';

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
    response.write(LIST_CHANGED.slice(0, 20));
    response.write(`${LIST_CHANGED.slice(20)}\n`);
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
