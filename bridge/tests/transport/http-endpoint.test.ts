/** What goes with each request, and where it goes (S04). */
import { afterEach, expect, it, vi } from 'vitest';
import { FOREIGN_SOCKETS, openSockets } from '../../src/transport/http-dispatcher.ts';
import { HttpEndpoint, mediaType, type EndpointRequest } from '../../src/transport/http-endpoint.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';

afterEach(() => void vi.restoreAllMocks());

const { signal } = new AbortController();
const post = (body = '{}'): EndpointRequest => ({ method: 'POST', body, signal });

interface Sent {
  readonly endpoint: HttpEndpoint;
  readonly sent: { readonly path: string; readonly init: RequestInit | undefined }[];
}

/** An endpoint that meets these answers, then accepts everything. */
function endpointOf(answers: Response[] = [], headers: Record<string, string> = { 'X-Team': 'blue' }): Sent {
  const sent: Sent['sent'] = [];
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
    sent.push({ path: new URL(url).pathname, init });
    return Promise.resolve(answers.shift() ?? new Response(null, { status: 202 }));
  };
  return { endpoint: new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers, fetch, errorBodyTimeoutMs: 100, sessionLostOn400: true }), sent };
}

const led = (location: string): Response => new Response(null, { status: 307, headers: { location } });
const events = (): Response => new Response('', { headers: { 'content-type': 'text/event-stream' } });

it('judges an answer that it did not ask for as one to a POST', async () => {
  const { endpoint } = endpointOf();
  expect((await endpoint.refusal(new Response(null, { status: 405 }))).message).toContain('takes no Streamable HTTP');
  expect((await endpoint.strangeness(new Response('<html>'))).message).toContain('not with MCP');
});

it('sends what belongs to each method, and session and revision once they are known', async () => {
  const { endpoint, sent } = endpointOf();
  await endpoint.send(post('{"a":1}'));
  Object.assign(endpoint, { sessionId: 's-1', protocolVersion: '2025-11-25' });
  await endpoint.send({ method: 'GET', lastEventId: 'é', signal });
  await endpoint.send({ method: 'DELETE', signal });
  const known = { 'X-Team': 'blue', 'mcp-session-id': 's-1', 'mcp-protocol-version': '2025-11-25' };
  expect(sent.map(({ init }) => init)).toStrictEqual([
    { method: 'POST', body: '{"a":1}', headers: { 'X-Team': 'blue', accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, signal, redirect: 'manual' },
    // A header holds bytes: those of UTF-8.
    { method: 'GET', body: null, headers: { ...known, accept: 'text/event-stream', 'last-event-id': 'Ã©' }, signal, redirect: 'manual' },
    { method: 'DELETE', body: null, headers: { ...known, accept: '*/*' }, signal, redirect: 'manual' },
  ]);
});

it('learns another address from a POST that was accepted there, and from no GET', async () => {
  const { endpoint, sent } = endpointOf([led('/stream'), events(), led('/there')]);
  await endpoint.send({ method: 'GET', signal });
  await endpoint.send(post());
  await endpoint.send(post());
  expect(sent.map(({ path }) => path)).toEqual(['/mcp', '/stream', '/mcp', '/there', '/there']);
});

it.each([
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a failure', () => new Response('{}', { status: 500, headers: { 'content-type': 'application/json' } })],
])('learns no address where %s answers, and forgets one where there is nothing any more', async (_what, answer) => {
  const { endpoint, sent } = endpointOf([led('/page'), answer(), led('/there'), Response.json({}), new Response(null, { status: 404 })]);
  for (let n = 0; n < 4; n += 1) await endpoint.send(post());
  expect(sent.map(({ path }) => path)).toEqual(['/mcp', '/page', '/mcp', '/there', '/there', '/mcp']);
});

it('goes in no circle, and says where it was led', async () => {
  const { endpoint, sent } = endpointOf([led('/a'), led('/mcp')]);
  expect((await endpoint.refusal(await endpoint.send(post()))).message).toBe('status 307: it redirects in a circle, back to http://localhost/mcp; correct the server, or `url`');
  expect(sent).toHaveLength(2);
});

it('says of a refusal where it came from and what was asked for, and of credentials whether there were any', async () => {
  const gone = new Response(null, { status: 404 });
  const { endpoint } = endpointOf([new Response(null, { status: 405 })]);
  expect((await endpoint.refusal(gone)).message).toMatch(/^status 404: http:\/\/localhost has nothing at this path;/);
  expect((await endpoint.refusal(await endpoint.send({ method: 'GET', signal }))).message).toBe('status 405: the server offers no event stream at this address');
  endpoint.sockets = { ...FOREIGN_SOCKETS, proxy: { address: 'http://p', shown: 'http://p', variable: 'HTTP_PROXY' } };
  expect((await endpoint.refusal(gone)).message).toContain('http://localhost (through the proxy of the environment) has nothing');
  const refused = new Response(null, { status: 401 });
  expect((await endpoint.refusal(refused)).message).toContain('refuses these credentials');
  expect((await endpointOf([], {}).endpoint.refusal(refused)).message).toContain('refuses a request without credentials');
});

it('gives its own sockets to the fetch of the platform', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  const endpoint = new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers: {}, fetch: undefined, errorBodyTimeoutMs: 100, sessionLostOn400: true });
  endpoint.sockets = await openSockets(new URL('http://localhost/mcp'), readProxySettings({}), 1_000);
  await endpoint.send(post());
  expect(endpoint.sockets).not.toBe(FOREIGN_SOCKETS);
  expect(fetched.mock.calls[0]?.[1]).toHaveProperty('dispatcher', endpoint.sockets.dispatcher);
  await endpoint.sockets.destroy();
});

it.each([['Text/HTML ; charset=utf-8', 'text/html'], ['application/json', 'application/json'], [undefined, '']])('reads the media type of %j', (header, type) => {
  expect(mediaType(new Response(null, { headers: header === undefined ? {} : { 'content-type': header } }))).toBe(type);
});
