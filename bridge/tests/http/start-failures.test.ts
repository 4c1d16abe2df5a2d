/** Somebody with a wrong URL, key or port reads one message that names the cause, and no secret (B06, B18). */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { failureOf } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { RawServer, refuse } from './raw-server.ts';

it.each([
  ['a missing key', refuse(401, '{"error":"invalid_token","error_description":"The API key is wrong"}', 'application/json'), 'status 401: the server refuses a request without credentials (it says: invalid_token: The API key is wrong); no `headers` are configured: put the key or token that it wants there'],
  ['a wrong path', refuse(404, 'Cannot POST /mcp'), 'has nothing at this path (it says: Cannot POST /mcp); correct the path in `url`'],
  ['a web page with 404', refuse(404, '<html>no</html>', 'text/html'), 'has nothing at this path (it sent a web page)'],
  ['a web page', refuse(200, '<html>hello</html>', 'text/html'), 'answered with a web page, not with MCP'],
  ['an old server', refuse(405), 'this address takes no Streamable HTTP'],
  ['a server that fails', refuse(500, 'boom'), 'status 500: the server, or a gateway before it, failed (it says: boom)'],
  ['something that is no MCP', refuse(200, '{"hello":"world"}', 'application/json'), 'the server gave no answer: what came as JSON is no answer to this request'],
])('says what is wrong with %s', async (_what, script, words) => {
  const server = await RawServer.start({ POST: script });
  const failure = await failureOf(openHttp(server.url));
  expect(failure.code).toBe('connect-failed');
  expect(failure.message).toMatch(/^server "web": /);
  expect(failure.message).toContain(words);
});

it('says what is wrong with a wrong key', async () => {
  const server = await RawServer.start({ POST: ({ headers, ...request }) => refuse(401, JSON.stringify({ error: 'invalid_token', error_description: `no ${String(headers['x-api-key'])}` }), 'application/json')({ headers, ...request }) });
  const failure = await failureOf(openHttp(server.url, { headers: { 'X-Api-Key': 'canary-key' } }));
  expect(failure.message).toContain('status 401: the server refuses these credentials (it says: invalid_token: no [redacted]); correct the key or token in `headers`');
});

it('says which server it is that has an address or a header that cannot be used', async () => {
  expect(await failureOf(openHttp('ftp://files'))).toMatchObject({ code: 'connect-failed', message: 'server "web": `url` is no http or https URL; correct it' });
  expect((await failureOf(openHttp('http://mcp.example/mcp', { headers: { 'X-Key': 'two\nlines' } }))).message).toMatch(/^server "web": the configured header "X-Key" has/);
});

it('says that fetch blocks the port', async () => {
  expect((await failureOf(openHttp('http://127.0.0.1:6000/mcp'))).message).toMatch(/^server "web": the port of http:\/\/127\.0\.0\.1:6000 is one to which fetch sends nothing/);
});

/** Opens what listens here, once, and says how that failed. */
async function failureOfOpening(server: Server): ReturnType<typeof failureOf> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const failure = await failureOf(openHttp(`http://127.0.0.1:${port}/mcp`));
  server.close();
  return failure;
}

it('says that an address repeats what it is sent', async () => {
  const server = createHttpServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    request.pipe(response);
  });
  const failure = await failureOfOpening(server);
  expect(failure).toMatchObject({ code: 'connect-failed', message: expect.stringContaining('initialize came back as it was sent: what is there repeats its input and is no MCP server; correct `command` or `url`') as unknown });
});

it('says that the port speaks no TLS', async () => {
  const server = await RawServer.start();
  expect((await failureOf(openHttp(server.url.replace('http:', 'https:')))).message).toMatch(/speaks no TLS \(.*\); write http:/);
});

it('says that what answers is no HTTP', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  const failure = await failureOfOpening(server);
  expect(failure.message).toContain('is no HTTP');
});

it('repeats no secret of the address or the headers, although the server does', async () => {
  const server = await RawServer.start({ POST: (request) => refuse(403, `no ${request.path} for ${String(request.headers['authorization'])}`)(request) });
  const failure = await failureOf(openHttp(`${server.url}/s3cr3t-path-t0k3n-0001?api_key=k3y-in-query`, { headers: { Authorization: 'Bearer t0k3n-in-header' } }));
  expect(failure.message).toContain('[redacted]');
  for (const secret of ['s3cr3t-path', 'k3y-in-query', 't0k3n-in-header']) expect(failure.message).not.toContain(secret);
});

it('reads of the text of an error only what comes in time, and of its length only the beginning', async () => {
  const server = await RawServer.start();
  const limits = { errorBodyTimeoutMs: 20 };
  server.on('POST', ({ response }) => void response.writeHead(403).write('half a'));
  expect((await failureOf(openHttp(server.url, { limits }))).message).toMatch(/status 403: .*it says: half a/);
  server.on('POST', refuse(403, 'x'.repeat(100_000)));
  expect((await failureOf(openHttp(server.url, { limits }))).message.length).toBeLessThan(600);
  server.on('POST', ({ response, socket }) => {
    response.writeHead(403, { 'content-length': '9' });
    response.write('half', () => socket.resetAndDestroy());
  });
  expect((await failureOf(openHttp(server.url, { limits }))).message).toMatch(/status 403|broke/);
});
