/** Redirects between host names, and what goes with them: headers go to the configured origin alone (S04, B18). */
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
async function answered(request: Request): Promise<Response> {
  const message: unknown = request.method === 'POST' ? await request.clone().json() : {};
  const { id, method } = Object.assign({ id: undefined, method: undefined }, message);
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } };
    return HttpResponse.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': 's-1' } });
  }
  if (method === 'tools/call') return HttpResponse.json({ jsonrpc: '2.0', id, result: { content: [] } });
  return new HttpResponse(null, { status: request.method === 'GET' ? 405 : 202 });
}

/** Sends whoever asks to another address. */
function leadTo(status: number, location: string): (info: { request: Request }) => Response {
  return () => new HttpResponse(null, { status, headers: { location } });
}

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
    expect(failure).toMatchObject({ code: 'connect-failed', message: expect.stringContaining(`it redirects to ${new URL(location).origin}, which is not followed`) as unknown });
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
    net.use(http.all('https://mcp.example/mcp', leadTo(status, '/v2/canary')));
    const failure = await failureOf(openHttp('https://mcp.example/mcp'));
    expect(failure.message).toContain('it redirects to another path of the same server, which is not followed');
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
    net.use(http.all('https://mcp.example/*', leadTo(307, '/again')));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('status 307');
    expect(seen).toHaveLength(6);
  });

  it('without a usable target is what it says: a refusal', async () => {
    net.use(http.all('https://mcp.example/mcp', leadTo(307, 'http://[')));
    expect((await failureOf(openHttp('https://mcp.example/mcp'))).message).toContain('status 307: the server refuses the request');
  });
});

it('tells a network error by its cause', async () => {
  net.use(http.all('https://mcp.example/mcp', () => HttpResponse.error()));
  expect(await failureOf(openHttp('https://mcp.example/mcp'))).toMatchObject({ code: 'connect-failed', message: expect.stringContaining('https://mcp.example') as unknown });
});
