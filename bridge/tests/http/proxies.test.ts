/** The platform's proxy settings, over a real proxy; the server's host name is known to the proxy alone (B29, R55). */
import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent, MockAgent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { FOREIGN_SOCKETS, hasForeignDispatcher, openSockets } from '../../src/transport/http-dispatcher.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { RawServer, refuse, said, stream } from './raw-server.ts';

const proxies: Server[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  }
});

/** A forward proxy that leads every http request to one port of this machine. */
async function startProxy(port: number): Promise<{ address: string; asked: { url: string; headers: IncomingHttpHeaders }[]; tunnels: string[] }> {
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  const tunnels: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push({ url: String(request.url), headers: request.headers });
    const onward = sendRequest({ port, path: '/mcp', method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    request.pipe(onward);
    response.once('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
  });
  proxy.on('connect', (request, socket) => {
    tunnels.push(String(request.url));
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxies.push(proxy);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { address: `127.0.0.1:${address.port}`, asked, tunnels };
}

const HIDDEN = 'http://mcp.hidden.example/mcp';

/** Why a start in this environment fails. */
function through(env: Record<string, string>, url = HIDDEN): ReturnType<typeof failureOf> {
  return failureOf(openHttp(url, { effects: { proxy: readProxySettings(env) } }));
}

describe('a proxy of the environment', () => {
  it('carries every request to an http server, headers included, and is told its credentials', async () => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    const proxy = await startProxy(server.port);
    const { session } = await openHttp(HIDDEN, { headers: { 'X-Team': 'blue' }, effects: { proxy: readProxySettings({ HTTP_PROXY: `http://me:pa%24s@${proxy.address}` }) } });
    expect(await session.callTool('echo', { a: 1 }, LIMITS)).toEqual(said('{"a":1}'));
    await server.nth('GET', 1);
    await session.close();
    expect(server.of('DELETE')).toHaveLength(1);
    expect(new Set(proxy.asked.map(({ url }) => url))).toEqual(new Set([HIDDEN]));
    for (const { headers } of proxy.asked) expect(headers).toMatchObject({ 'x-team': 'blue', 'proxy-authorization': `Basic ${Buffer.from('me:pa$s').toString('base64')}` });
    expect(proxy.tunnels).toEqual([]);
  });

  it('is asked for a tunnel to an https server, and its refusal is told as what it is', async () => {
    const proxy = await startProxy(9);
    const failure = await failureOf(openHttp('https://mcp.hidden.example/mcp', { effects: { proxy: readProxySettings({ https_proxy: proxy.address }) } }));
    expect(failure).toMatchObject({ code: 'connect-failed', message: expect.stringContaining(`the proxy http://${proxy.address}, through which https://mcp.hidden.example is asked for, refused to reach it`) as unknown });
    expect(proxy.tunnels).toEqual(['mcp.hidden.example:443']);
  });

  it('is named as the cause when nobody listens there or it cannot be found, with the place to correct it (B06)', async () => {
    const gone = await RawServer.start();
    await gone.stop();
    expect((await through({ HTTP_PROXY: `http://me:canary@127.0.0.1:${gone.port}` })).message).toMatch(
      new RegExp(`^server "web": nobody listens at the proxy http://127\\.0\\.0\\.1:${gone.port}, through which http://mcp\\.hidden\\.example is asked for, \\(connect ECONNREFUSED .*\\); start the proxy, correct HTTP_PROXY, or name the server's host in NO_PROXY$`),
    );
    expect((await through({ HTTPS_PROXY: `127.0.0.1:${gone.port}` }, 'https://mcp.hidden.example/mcp')).message).toMatch(/nobody listens at the proxy http:.* correct HTTPS_PROXY,/);
    expect((await through({ http_proxy: 'nonsense.invalid' })).message).toMatch(/the host name of the proxy http:\/\/nonsense\.invalid, through which .* cannot be resolved .*; correct HTTP_PROXY,/);
    const named = `http://127.0.0.1.nip.invalid:${gone.port}/mcp`;
    expect((await through({ HTTP_PROXY: `127.0.0.1:${gone.port}`, NO_PROXY: '.invalid' }, named)).message).toMatch(/the host name of http:\/\/127\.0\.0\.1\.nip\.invalid:\d+ cannot be resolved/);
  });

  it('is named where the server, or the proxy in its place, answers with a refusal', async () => {
    const server = await RawServer.start({ POST: refuse(404, 'no such host') });
    const proxy = await startProxy(server.port);
    expect((await through({ HTTP_PROXY: proxy.address })).message).toContain('status 404: http://mcp.hidden.example (through the proxy of the environment) has nothing at this path (it says: no such host)');
  });

  it('is left out for this machine, and for hosts that are named', async () => {
    const server = await RawServer.start();
    const proxy = await startProxy(server.port);
    // An address that leads here and is none of the names of this machine.
    const elsewhere = server.url.replace('127.0.0.1', '0.0.0.0');
    await openHttp(server.url, { effects: { proxy: readProxySettings({ HTTP_PROXY: proxy.address }) } });
    await openHttp(elsewhere, { effects: { proxy: readProxySettings({ HTTP_PROXY: proxy.address, NO_PROXY: 'other, 0.0.0.0' }) } });
    expect(proxy.asked).toEqual([]);
    await openHttp(elsewhere, { effects: { proxy: readProxySettings({ HTTP_PROXY: proxy.address, NO_PROXY: 'other' }) } });
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('has to have a usable address, which is not repeated', async () => {
    const failure = await failureOf(openHttp(HIDDEN, { effects: { proxy: readProxySettings({ HTTP_PROXY: 'http://canary:secret@' }) } }));
    expect(failure).toMatchObject({ code: 'connect-failed', message: expect.stringContaining("the proxy's address in HTTP_PROXY is no usable one") as unknown });
    expect(failure.message).not.toContain('canary');
    expect((await failureOf(openHttp('https://mcp.hidden.example', { effects: { proxy: readProxySettings({ HTTPS_PROXY: 'http://' }) } }))).message).toContain('HTTPS_PROXY');
  });

  it('is not asked by a custom fetch', async () => {
    const server = await RawServer.start();
    const proxy = await startProxy(server.port);
    let sent = 0;
    const custom: typeof fetch = (url, init) => {
      sent += 1;
      expect(init).not.toHaveProperty('dispatcher');
      expect(url).toEqual(new URL(HIDDEN));
      return fetch(server.url, init);
    };
    const { session } = await openHttp(HIDDEN, { fetch: custom, effects: { proxy: readProxySettings({ HTTP_PROXY: proxy.address }) } });
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('{}'));
    expect(sent).toBeGreaterThan(2);
    expect(proxy.asked).toEqual([]);
  });
});

it("leaves a process's own dispatcher alone", async () => {
  const key = Symbol.for('undici.globalDispatcher.1');
  const plain: unknown = new Agent();
  const foreign: unknown = new MockAgent();
  expect(hasForeignDispatcher({})).toBe(false);
  expect(hasForeignDispatcher({ [key]: plain })).toBe(false);
  expect(hasForeignDispatcher({ [key]: foreign })).toBe(true);
  const own: unknown = Reflect.get(globalThis, key);
  Reflect.set(globalThis, key, foreign);
  try {
    expect(await openSockets(new URL(HIDDEN), readProxySettings({}), 1_000)).toBe(FOREIGN_SOCKETS);
  } finally {
    Reflect.set(globalThis, key, own);
  }
  await FOREIGN_SOCKETS.destroy();
});

it('leaves no socket behind when it closes', async () => {
  const server = await RawServer.start({ GET: (request) => void stream(request) });
  const { session } = await openHttp(server.url);
  await session.callTool('echo', {}, LIMITS);
  await server.nth('GET', 1);
  const sockets = new Set(server.seen.map(({ socket }) => socket));
  await session.close();
  // The server itself would keep an idle connection for five seconds.
  for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
  expect(performance.now() - server.seenAtMs).toBeLessThan(4_000);
});
