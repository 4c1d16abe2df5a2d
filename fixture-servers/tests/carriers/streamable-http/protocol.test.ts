/** MCP over HTTP as it should be where no rule says otherwise (spec 2025-11-25, transports). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { received, startController, type Controller, type HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from '../../../src/scenario/schema.ts';
import { createHttpClient, idsOf, messagesOf, type HttpClient } from '../../http-client.ts';

let controller: Controller;
let server: HttpFixtureServer;
let client: HttpClient;
beforeAll(async () => {
  controller = await startController();
  server = await controller.serve('a b', { scenario: 1 }, { carrier: 'streamable-http' });
});
afterAll(() => controller.close());
beforeEach(() => {
  client = createHttpClient(server.url);
});

const script = (scenario: Omit<ScenarioInput, 'scenario'>): Promise<void> => server.program({ scenario: 1, tools: [{ name: 'a' }], ...scenario });
const PING = { jsonrpc: '2.0', id: 9, method: 'ping' };

describe('requests', () => {
  beforeAll(() => script({}));

  it('are answered as an event stream, acknowledged with 202, and belong to the session that initialize opens', async () => {
    const first = await client.handshake();
    expect(first.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    expect(client.sessionId).toMatch(/^[\x21-\x7e]{20,}$/);
    expect(first.body).toMatch(/^event: message\ndata: \{"jsonrpc":"2.0","id":0,.*\}\n\n$/);
    const second = await client.send('POST', PING);
    expect(second.headers['mcp-session-id']).toBeUndefined();
    expect(second.messages).toMatchObject([{ id: 9, result: {} }]);
    const notice = await client.send('POST', { jsonrpc: '2.0', method: 'notifications/cancelled' });
    expect([notice.status, notice.body, notice.headers['content-length']]).toEqual([202, '', '0']);
    const answer = await client.send('POST', { jsonrpc: '2.0', id: 'x', result: {} });
    expect(answer.status).toBe(202);
  });

  it.each([
    ['PUT', PING, {}, 405, 'Method not allowed'],
    ['POST', PING, { accept: 'application/json' }, 406, 'must accept'],
    ['GET', undefined, { accept: 'application/json' }, 406, 'must accept text/event-stream'],
    ['POST', PING, { 'content-type': 'text/plain' }, 415, 'application/json'],
    ['POST', '{"half":', {}, 400, 'Parse error'],
    ['POST', [PING], {}, 400, 'no single JSON-RPC message'],
    ['POST', '"text"', {}, 400, 'no single JSON-RPC message'],
    ['POST', PING, { 'mcp-session-id': '' }, 400, 'Mcp-Session-Id header is required'],
    ['POST', PING, { 'mcp-session-id': 'nobody' }, 404, 'Session not found'],
    ['DELETE', undefined, { 'mcp-session-id': 'nobody' }, 404, 'Session not found'],
    ['POST', PING, { 'mcp-protocol-version': '1999-01-01' }, 400, 'Unsupported protocol version: 1999-01-01'],
    ['POST', PING, { host: 'evil.example:80' }, 403, 'not this machine'],
    ['POST', PING, { origin: 'https://evil.example' }, 403, 'https://evil.example'],
    ['POST', PING, { origin: 'null' }, 403, 'Forbidden'],
    ['POST', { jsonrpc: '2.0', id: { no: 'scalar' }, method: 'ping' }, {}, 200, 'the id is no scalar'],
  ])('of the kind %s %j %j get %i', async (method, body, headers, status, message) => {
    await client.handshake();
    const reply = await client.send(method, body, headers);
    expect([reply.status, reply.body]).toEqual([status, expect.stringContaining(message)]);
    if (status === 405) expect(reply.headers.allow).toBe('GET, POST, DELETE');
  });

  it('pass with types in any form, a page of this machine, and every revision that is known or was agreed', async () => {
    await client.handshake('2030-01-01');
    for (const headers of [
      { accept: '*/*' }, { accept: 'Application/*;q=1, text/event-stream;q=0.5' }, { 'content-type': 'application/JSON; charset=utf-8' },
      { origin: 'http://localhost:3000' }, { 'mcp-protocol-version': '2024-11-05' }, { 'mcp-protocol-version': '2030-01-01' },
    ]) {
      expect((await client.send('POST', PING, headers)).status).toBe(200);
    }
  });

  it('find no server under another path, and every path below its name is its own', async () => {
    const base = server.url.slice(0, -'/a%20b/mcp'.length);
    const lost = await createHttpClient(`${base}/other/mcp`).send('POST', PING);
    expect([lost.status, lost.body]).toEqual([404, 'no server here; there are: /a%20b/mcp\n']);
    expect((await createHttpClient(`${base}/%zz`).send('POST', PING)).status).toBe(404);
    expect((await createHttpClient(`${base}/a%20b/else?x=1`).handshake()).status).toBe(200);
  });
});

describe('sessions', () => {
  it('end with DELETE, and are told apart', async () => {
    await script({});
    const other = createHttpClient(server.url);
    await client.handshake();
    await other.handshake();
    expect(other.sessionId).not.toBe(client.sessionId);
    const listening = await client.listen();
    expect((await client.send('DELETE')).status).toBe(200);
    await listening.ended;
    expect((await client.send('POST', PING)).status).toBe(404);
    expect((await other.send('POST', PING)).status).toBe(200);
  });

  it.each([
    ['404-json', 404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'],
    ['404', 404, ''],
    ['400', 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'],
    ['200', 200, `{"jsonrpc":"2.0","id":${JSON.stringify(PING.id)},"error":{"code":-32001,"message":"Session not found"}}`],
  ] as const)('that are over are refused in the dialect %s (R46)', async (unknownSession, status, body) => {
    await script({ http: { unknownSession } });
    await client.handshake();
    await server.do([{ closeSession: true }]);
    const reply = await client.send('POST', PING);
    expect([reply.status, reply.body]).toEqual([status, body]);
    expect((await client.send('GET')).status).toBe(status === 200 ? 404 : status);
  });

  it('may be none: then everybody talks to the process', async () => {
    const alone = await controller.serve('stateless', { scenario: 1, tools: [{ name: 'a' }], http: { sessions: false, answers: 'json' } }, { carrier: 'streamable-http' });
    const one = createHttpClient(alone.url);
    const first = await one.handshake();
    expect([first.headers['content-type'], one.sessionId]).toEqual(['application/json', undefined]);
    expect((await one.ask('tools/list')).result?.tools).toHaveLength(1);
    await alone.do([{ setTools: { tools: [] } }]);
    expect((await createHttpClient(alone.url).ask('tools/list')).result?.tools).toEqual([]);
    await alone.close();
  });

  it('whose id nobody was told are forgotten', async () => {
    await script({ rules: [{ when: { method: 'initialize' }, do: [{ respond: { status: 500 } }] }] });
    const since = server.records.length;
    expect((await client.handshake()).status).toBe(500);
    await server.waitFor((record) => record.kind === 'process' && record.event === 'session-end', { since });
    await expect(server.do([{ notify: { method: 'n' } }])).rejects.toThrow('no session is open');
  });
});

describe('answers in JSON', () => {
  it('carry the answer alone; what else is said goes to the listening stream', async () => {
    await script({ http: { answers: 'json' }, rules: [{ when: { method: 'x' }, do: [{ notify: { method: 'n' } }, { reply: { result: 'é' } }] }] });
    await client.handshake();
    const listening = await client.listen();
    const reply = await client.send('POST', { jsonrpc: '2.0', id: 1, method: 'x' });
    expect([reply.headers['content-type'], reply.body]).toEqual(['application/json', '{"jsonrpc":"2.0","id":1,"result":"é"}']);
    expect(messagesOf(await listening.until((text) => text.includes('"n"')))).toMatchObject([{ method: 'n' }]);
    listening.close();
  });
});

describe('the listening stream', () => {
  it('gets what answers nobody, also what was said before it was opened, on the newest of several', async () => {
    await script({});
    await client.handshake();
    await server.do([{ notify: { method: 'early' } }]);
    const first = await client.listen();
    expect(first.headers['content-type']).toBe('text/event-stream');
    await first.until((text) => text.includes('early'));
    const second = await client.listen();
    await server.do([{ notify: { method: 'later' } }]);
    await second.until((text) => text.includes('later'));
    const since = server.records.length;
    second.close();
    await server.waitFor((record) => record.kind === 'frame' && record.http?.ended === 'cut' && record.http.method === 'GET', { since });
    await server.do([{ notify: { method: 'last' } }]);
    await first.until((text) => text.includes('last'));
    expect(first.text()).not.toContain('later');
    first.close();
  });

  it('loses what nobody hears, if it is told to', async () => {
    await script({ http: { unheard: 'lose' } });
    await client.handshake();
    await server.do([{ notify: { method: 'early' } }]);
    const listening = await client.listen();
    await server.do([{ notify: { method: 'heard' } }]);
    expect(messagesOf(await listening.until((text) => text.includes('heard')))).toMatchObject([{ method: 'heard' }]);
    listening.close();
  });

  it('may be missing, and is bounded', async () => {
    await script({ http: { listen: false } });
    await client.handshake();
    expect((await client.send('GET')).status).toBe(405);
    await script({});
    const open = await Promise.all(Array.from({ length: 8 }, () => client.listen()));
    expect((await client.send('GET')).status).toBe(409);
    for (const each of open) each.close();
  });
});

describe('streams with event ids', () => {
  it('begin with an id, and go on where the client lost them, without the request being sent again (R49)', async () => {
    await script({
      http: { eventIds: true, retryMs: 25 },
      rules: [{ when: { method: 'x' }, do: [{ notify: { method: 'one' } }, { notify: { method: 'two' } }, { cut: 'request' }, { notify: { method: 'three' } }, { default: {} }] }],
    });
    await client.handshake();
    const reply = await client.open('POST', { jsonrpc: '2.0', id: 1, method: 'x' });
    await expect(reply.ended).rejects.toThrow();
    expect(reply.text()).toMatch(/^id: \d+-1\nretry: 25\ndata: \n\nid: \d+-2\nevent: message\n/);
    const [, one = ''] = idsOf(reply.text());
    const rest = await client.send('GET', undefined, { 'last-event-id': one });
    expect(rest.messages).toMatchObject([{ method: 'two' }, { method: 'three' }, { id: 1, error: { code: -32601 } }]);
    const ids = idsOf(rest.body);
    expect(new Set([...idsOf(reply.text()), ...ids]).size).toBe(5);
    const again = await client.send('GET', undefined, { 'last-event-id': ids.at(-2) ?? '' });
    expect(again.messages).toMatchObject([{ id: 1 }]);
    expect(server.records.filter(received('x'))).toHaveLength(1);
  });

  it('say when to come back where a client listens, and where it goes on', async () => {
    await script({ http: { eventIds: true, retryMs: 25 } });
    await client.handshake();
    const first = await client.listen();
    const [primed = ''] = idsOf(await first.until((text) => text.includes('\n\n')));
    expect(first.text()).toMatch(/^id: \d+-1\nretry: 25\n/);
    first.close();
    const second = await client.listen({ 'last-event-id': primed });
    await server.do([{ notify: { method: 'a' } }]);
    expect(await second.until((text) => text.includes('"a"'))).toMatch(/^id: \d+-2\nretry: 25\nevent: message\n/);
    second.close();
  });

  it('keep what is said between two listening streams, and refuse an id they never gave', async () => {
    await script({ http: { eventIds: true } });
    await client.handshake();
    const first = await client.listen();
    await server.do([{ notify: { method: 'a' } }]);
    const [primed, last = ''] = idsOf(await first.until((text) => text.includes('"a"')));
    expect(primed).toMatch(/-1$/);
    await server.do([{ reset: 'listen' }, { notify: { method: 'b', frame: { times: 3 } } }]);
    await expect(first.ended).rejects.toThrow();
    const second = await client.listen({ 'last-event-id': last });
    await second.until((text) => idsOf(text).length === 3);
    expect(messagesOf(second.text()).map(({ method }) => method)).toEqual(['b', 'b', 'b']);
    second.close();
    for (const id of ['999-1', last.replace(/-\d+$/, '-99'), 'x', '__proto__']) {
      expect((await client.send('GET', undefined, { 'last-event-id': id })).status).toBe(400);
    }
  });

  it('have no empty first event for clients of older revisions', async () => {
    await script({ http: { eventIds: true } });
    const reply = await client.handshake('2025-06-18');
    expect(reply.body).toMatch(/^id: \d+-1\nevent: message\n/);
  });
});

describe('the trace', () => {
  it('tells each request with its head, and each response with its status, its events and its end', async () => {
    await script({});
    const since = server.records.length;
    await client.handshake();
    await client.send('POST', PING, { authorization: 'Bearer canary' });
    await client.send('DELETE');
    await server.waitFor((record) => record.kind === 'frame' && record.http?.method === 'DELETE' && record.http.status === 200, { since });
    const frames = server.records.slice(since).flatMap((record) => (record.kind === 'frame' ? [record] : []));
    const ping = frames.find(({ raw }) => raw.includes('"ping"'));
    expect(ping).toMatchObject({
      carrier: 'streamable-http', session: client.sessionId, direction: 'client-to-server', message: PING,
      http: { method: 'POST', path: '/a%20b/mcp', requestHeaders: { authorization: 'Bearer canary', 'mcp-session-id': client.sessionId } },
    });
    const answer = frames.filter(({ direction, http }) => direction === 'server-to-client' && http?.exchange === ping?.http?.exchange);
    expect(answer).toMatchObject([
      { raw: '', http: { status: 200, responseHeaders: { 'content-type': 'text/event-stream' } } },
      { message: { id: 9, result: {} }, http: { event: '' } },
      { raw: '', http: { ended: 'complete' } },
    ]);
    expect(server.records.slice(since).flatMap((record) => (record.kind === 'process' ? [record.event] : []))).toEqual(['session', 'incarnation', 'session-end']);
  });
});
