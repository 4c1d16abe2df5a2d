/** Redirects between host names, and what goes with them: headers go to the configured origin alone (S04, B18). */
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../src/transport/deferred.ts';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';

const seen: Request[] = [];
const net = setupServer();

beforeAll(() => net.listen({ onUnhandledRequest: 'error' }));
// Before a test, not after it: sessions are closed by a later hook.
beforeEach(() => {
  net.events.removeAllListeners();
  net.resetHandlers();
  seen.length = 0;
  net.events.on('request:start', ({ request }) => void seen.push(request));
});
afterAll(() => net.close());

/** Answers one message as a server with the tool `echo` does. */
async function answered(request: Request, hasSession = true): Promise<Response> {
  const message: unknown = request.method === 'POST' ? await request.clone().json() : {};
  const { id, method } = Object.assign({ id: undefined, method: undefined }, message);
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } };
    return HttpResponse.json({ jsonrpc: '2.0', id, result }, { headers: hasSession ? { 'mcp-session-id': 's-1' } : {} });
  }
  if (method === 'ping') return HttpResponse.json({ jsonrpc: '2.0', id, result: {} });
  if (method === 'tools/call') return HttpResponse.json({ jsonrpc: '2.0', id, result: { content: [] } });
  return new HttpResponse(null, { status: request.method === 'GET' ? 405 : 202 });
}

/** Sends whoever asks to another address. */
function leadTo(status: number, location: string): (info: { request: Request }) => Response {
  return () => new HttpResponse(null, { status, headers: { location } });
}

const INFO = { request: new Request('https://mcp.example/') };

const HEADERS = { Authorization: 'Bearer canary-token-1234', 'X-Team': 'blue' };

describe('the configured headers', () => {
  it('go with every POST, GET and DELETE, beside session and revision', async () => {
    net.use(http.all('https://mcp.example/mcp', ({ request }) => answered(request)));
    const { session } = await openHttp('https://mcp.example/mcp', { headers: HEADERS });
    await session.callTool('echo', {}, LIMITS);
    await session.close();
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    for (const { headers } of seen) expect(headers.get('authorization')).toBe('Bearer canary-token-1234');
    for (const { headers } of seen.slice(1)) expect([headers.get('mcp-session-id'), headers.get('mcp-protocol-version')]).toEqual(['s-1', '2025-11-25']);
  });

  it.each([
    ['another host', 'https://evil.example/mcp'],
    ['another port', 'https://mcp.example:8443/mcp'],
    ['a host that begins like it', 'https://mcp.example.evil/mcp'],
    ['a host after a user name', 'https://mcp.example@evil.example/mcp'],
    ['the same host without TLS', 'http://mcp.example/mcp'],
  ])('do not follow a redirect to %s', async (_where, location) => {
    net.use(http.all('https://mcp.example/mcp', leadTo(307, location)), http.all('*', () => new HttpResponse(null, { status: 200 })));
    const failure = await failureOf(openHttp('https://mcp.example/mcp', { headers: HEADERS }));
    expect(failure).toMatchObject({ code: 'connect-failed', message: expect.stringContaining(`it redirects to ${new URL(location).origin}/mcp, another origin, which is not followed`) as unknown });
    expect(seen.map(({ url }) => url)).toEqual(['https://mcp.example/mcp']);
  });

  it('do not follow one in the middle of a session, nor does the call', async () => {
    net.use(http.all('https://mcp.example/mcp', ({ request }) => answered(request)));
    const { session } = await openHttp('https://mcp.example/mcp', { headers: HEADERS });
    net.use(http.post('https://mcp.example/mcp', leadTo(308, 'https://evil.example/mcp')), http.all('https://evil.example/mcp', () => new HttpResponse(null)));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'no', httpStatus: 308 });
    expect(seen.filter(({ url }) => url.includes('evil'))).toEqual([]);
  });
});

describe('a redirect within the origin', () => {
  it.each([307, 308])('is followed with method, body and headers by status %i', async (status) => {
    net.use(http.all('https://mcp.example/mcp', leadTo(status, '/v2/mcp')), http.all('https://mcp.example/v2/mcp', ({ request }) => answered(request)));
    const { session } = await openHttp('https://mcp.example/mcp', { headers: HEADERS });
    expect(await session.callTool('echo', {}, LIMITS)).toEqual({ content: [] });
    for (const { headers } of seen) expect(headers.get('x-team')).toBe('blue');
  });

  it.each([301, 302, 303])('is not followed by status %i, which would make a GET of a call', async (status) => {
    net.use(http.all('https://mcp.example/mcp', leadTo(status, '/v2/mcp?token=canary')));
    const failure = await failureOf(openHttp('https://mcp.example/mcp'));
    expect(failure.message).toContain(`status ${status}: it redirects to https://mcp.example/v2/mcp?token=[redacted], which is not followed`);
    expect(failure.message).not.toContain('canary');
  });

  it('is followed by a GET with any of them', async () => {
    net.use(
      http.get('https://mcp.example/mcp', leadTo(302, '/stream')),
      http.get('https://mcp.example/stream', () => new HttpResponse('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n', { headers: { 'content-type': 'text/event-stream' } })),
      http.all('https://mcp.example/mcp', ({ request }) => answered(request)),
    );
    const { promise: notice, resolve: heard } = deferred<void>();
    await openHttp('https://mcp.example/mcp', { listeners: { onToolListChanged: () => heard(undefined), onDiagnostic: () => {} } });
    await notice;
  });

  it('is followed a few times, not for ever', async () => {
    let steps = 0;
    net.use(http.all('https://mcp.example/*', () => leadTo(307, `/again/${(steps += 1)}`)(INFO)));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('status 307: it redirects for the 6th time in a row, to https://mcp.example/again/6, and 5 are followed');
    expect(seen).toHaveLength(6);
  });

  it.each([['/mcp', 1], ['/there', 2]])('in a circle is noticed at the first address that repeats: %s', async (first, requests) => {
    net.use(http.all('https://mcp.example/mcp', leadTo(307, first)), http.all('https://mcp.example/there', leadTo(308, '/mcp')));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('it redirects in a circle, back to https://mcp.example/mcp;');
    expect(seen).toHaveLength(requests);
  });

  it('without a usable target says so', async () => {
    net.use(http.all('https://mcp.example/mcp', leadTo(307, 'http://[')));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('status 307: it redirects to something that is no address');
    net.use(http.all('https://mcp.example/mcp', leadTo(302, 'javascript:alert(1)')));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('status 302: it redirects to an address of the scheme "javascript:"');
  });

  it('sends a call only once: after the handshake was led on, everything goes there at once (B04)', async () => {
    net.use(http.all('https://mcp.example/mcp', leadTo(307, '/v2/mcp')), http.all('https://mcp.example/v2/mcp', ({ request }) => answered(request)));
    const { session } = await openHttp('https://mcp.example/mcp');
    expect(await session.callTool('echo', {}, LIMITS)).toEqual({ content: [] });
    await session.close();
    expect(seen.map(({ url }) => new URL(url).pathname).filter((path) => path === '/mcp')).toHaveLength(1);
    expect(seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url)).toEqual(['https://mcp.example/v2/mcp']);
  });

  it('that a call meets is not followed by it; a ping finds the new address, where the next call goes (B04)', async () => {
    net.use(http.all('https://mcp.example/mcp', ({ request }) => answered(request)), http.all('https://mcp.example/v2', ({ request }) => answered(request)));
    const { session, lost } = await openHttp('https://mcp.example/mcp');
    net.use(http.post('https://mcp.example/mcp', leadTo(308, '/v2')));
    expect(await failureOf(session.callTool('echo', { n: 1 }, LIMITS))).toMatchObject({ code: 'http-error', executed: 'no', httpStatus: 308, message: expect.stringContaining('it redirects to https://mcp.example/v2, which is not followed, since a call is sent once; try again') as unknown });
    await vi.waitFor(() => expect(seen.filter(({ url, method }) => method === 'POST' && url.endsWith('/v2'))).toHaveLength(1));
    await vi.waitFor(async () => expect(await session.callTool('echo', { n: 2 }, LIMITS)).toEqual({ content: [] }));
    const calls = (await Promise.all(seen.filter(({ method }) => method === 'POST').map((request) => request.text()))).filter((body) => body.includes('"n":1'));
    expect(calls).toHaveLength(1);
    expect(lost).toEqual([]);
  });

  it('is learned only from a good answer, and forgotten when there is nothing any more', async () => {
    let home = 307;
    net.use(http.all('https://mcp.example/mcp', ({ request }) => (home === 307 ? leadTo(307, '/node-1')(INFO) : answered(request, false))), http.all('https://mcp.example/node-1', ({ request }) => answered(request, false)));
    const { session } = await openHttp('https://mcp.example/mcp');
    home = 200;
    net.use(http.all('https://mcp.example/node-1', () => new HttpResponse(null, { status: 404 })));
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ executed: 'no', httpStatus: 404 });
    expect(await session.callTool('echo', {}, LIMITS)).toEqual({ content: [] });
    // A page for people, where everything is led for a while.
    home = 307;
    net.use(http.all('https://mcp.example/node-1', () => new HttpResponse('<html>', { headers: { 'content-type': 'text/html' } })));
    await failureOf(session.listToolsPage(undefined, LIMITS));
    home = 200;
    expect(await session.callTool('echo', {}, LIMITS)).toEqual({ content: [] });
  });
});

it('tells a network error by its cause', async () => {
  net.use(http.all('https://mcp.example/mcp', () => HttpResponse.error()));
  expect(await failureOf(openHttp('https://mcp.example/mcp'))).toMatchObject({ code: 'connect-failed', message: expect.stringContaining('https://mcp.example') as unknown });
});
