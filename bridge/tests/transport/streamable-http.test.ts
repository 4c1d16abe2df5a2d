import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSession, type OpenedSession, type OpenSessionOptions } from '../../src/client-session.ts';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { readProxySettings } from '../../src/transport/proxy-settings.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { HttpTransport } from '../../src/transport/streamable-http.ts';
import { listen, startHttpServer } from '../helpers/http-server.ts';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';

const sessions: OpenedSession[] = [];
// The servers end in a hook of the helper; sessions have to go first.
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

async function open(url: string, more: Partial<OpenSessionOptions> & { headers?: Record<string, string> } = {}): Promise<{ session: OpenedSession; reports: string[]; changes: () => number }> {
  const reports: string[] = [];
  let changes = 0;
  const { headers, ...options } = more;
  const session = await openSession({
    serverName: 'web',
    target: { transport: 'streamable-http', url, ...(headers === undefined ? {} : { headers }) },
    listeners: {
      onToolListChanged: () => {
        changes += 1;
      },
      onDiagnostic: (_level, message) => reports.push(message),
    },
    ...options,
  });
  sessions.push(session);
  return { session, reports, changes: () => changes };
}

it('sends nothing once it is closed', async () => {
  const sent: string[] = [];
  const transport = new HttpTransport({
    url: 'http://localhost:9/mcp',
    headers: {},
    fetch: (_url, init) => {
      sent.push(String(init?.method));
      return Promise.resolve(new Response(null, { status: 202 }));
    },
    proxy: readProxySettings({}),
    sessionLostOn400: true,
    limits: resolveConnectionLimits(),
    redact: createRedactor(),
    reports: new ReportLimiter(() => {}, 1, () => 0),
    now: () => 0,
    onGap: () => {},
  });
  await transport.start();
  await transport.close();
  await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
  expect(sent).toEqual([]);
});

describe('a session over HTTP', () => {
  it.each([{ json: true }, { json: false }])('lists, calls and hears of changes (%j)', async (options) => {
    const server = await startHttpServer(options);
    const { session, changes } = await open(server.url);
    expect((await session.listToolsPage(undefined, LIMITS)).tools).toMatchObject([{ name: 'echo' }]);
    expect(await session.callTool('echo', { a: 1 }, LIMITS)).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
    await vi.waitFor(() => expect(server.seen.some(({ method }) => method === 'GET')).toBe(true));
    // The stream may open after its request was seen: a notice before that is lost, so it is repeated.
    await vi.waitFor(async () => {
      await server.server()?.sendToolListChanged();
      expect(changes()).toBeGreaterThan(0);
    });
  });

  it('sends the configured headers with every POST, GET and DELETE, beside those of the protocol', async () => {
    const server = await startHttpServer();
    const headers = { Authorization: 'Bearer t0k3n', 'X-Team': 'blue' };
    const { session } = await open(server.url, { headers });
    await session.callTool('echo', {}, LIMITS);
    await vi.waitFor(() => expect(server.seen.some(({ method }) => method === 'GET')).toBe(true));
    await session.close();
    expect(new Set(server.seen.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    for (const { headers: seen } of server.seen) expect(seen).toMatchObject({ authorization: 'Bearer t0k3n', 'x-team': 'blue' });
    const last = server.seen.at(-1);
    expect(last?.method).toBe('DELETE');
    expect(last?.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(last?.headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  it('does not let configured headers override those of the protocol, and says so', async () => {
    const server = await startHttpServer();
    const wrong = { ACCEPT: 'text/html', 'Content-Type': 'text/plain', 'Mcp-Session-Id': 'mine', 'MCP-Protocol-Version': '1', 'Last-Event-ID': '7', 'X-Ok': '1' };
    const { session, reports } = await open(server.url, { headers: wrong });
    await session.callTool('echo', {}, LIMITS);
    await session.close();
    for (const { headers } of server.seen) {
      expect(headers['x-ok']).toBe('1');
      expect(headers.accept).toContain(headers['content-type'] === undefined ? '' : 'application/json');
      expect(Object.values(headers)).not.toContain('mine');
      expect(headers['last-event-id']).toBeUndefined();
    }
    expect(reports.filter((message) => message.includes('belongs to the protocol'))).toHaveLength(5);
  });

  it('deletes its session once when it closes', async () => {
    const server = await startHttpServer();
    const { session } = await open(server.url);
    await Promise.all([session.close(), session.close()]);
    expect(server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(await session.closed).toMatchObject({ kind: 'closed-by-bridge' });
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'not-connected', executed: 'no' });
  });

  it.each([405, 404, 500])('closes although the DELETE is answered with %i', async (status) => {
    const server = await startHttpServer({
      before: (request, response) => request.method === 'DELETE' && response.writeHead(status).end() !== undefined,
    });
    const { session } = await open(server.url);
    await session.close();
    expect(server.seen.at(-1)?.method).toBe('DELETE');
  });

  it('closes within its time when the DELETE is not answered', async () => {
    const server = await startHttpServer({ before: (request) => request.method === 'DELETE' });
    const { session, reports } = await open(server.url, { limits: { closeGraceMs: 30 } });
    await session.close();
    expect(reports.some((message) => message.includes('not deleted'))).toBe(true);
  });

  it('follows no redirect to another origin, and sends it no header', async () => {
    const stranger = await listen((_request, response) => response.writeHead(200).end());
    const server = await listen((_request, response) => response.writeHead(307, { location: stranger.url }).end());
    const failure = await failureOf(open(server.url, { headers: { 'X-Api-Key': 'canary' } }));
    expect(failure).toMatchObject({ code: 'connect-failed' });
    expect(failure.message).toContain(`it redirects to ${stranger.url}, another origin, which is not followed`);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(stranger.seen).toEqual([]);
  });

  it('follows a redirect within its origin, headers included', async () => {
    const server = await startHttpServer({
      before: (request, response) => request.url === '/mcp' && response.writeHead(307, { location: '/moved' }).end() !== undefined,
    });
    const { session } = await open(server.url, { headers: { 'X-Team': 'blue' } });
    await session.callTool('echo', {}, LIMITS);
    for (const { headers } of server.seen) expect(headers['x-team']).toBe('blue');
  });

  it('tells abort from timeout and cancels each once', async () => {
    const server = await startHttpServer({ json: false });
    const cancelled: unknown[] = [];
    const { session } = await open(server.url, {
      effects: {
        fetch: (url, init) => {
          const message: { method?: string; params?: unknown } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
          if (message.method === 'notifications/cancelled') cancelled.push(message.params);
          return fetch(url, init);
        },
      },
    });
    expect(await failureOf(session.callTool('hang', {}, { timeoutMs: 20 }))).toMatchObject({ code: 'call-timeout' });
    const caller = new AbortController();
    const call = failureOf(session.callTool('hang', {}, { ...LIMITS, signal: caller.signal }));
    caller.abort();
    expect(await call).toMatchObject({ code: 'call-aborted', executed: 'unknown' });
    await vi.waitFor(() => expect(cancelled).toHaveLength(2));
    expect(await session.callTool('echo', {}, LIMITS)).toBeDefined();
    expect(cancelled).toMatchObject([{ requestId: 1 }, { requestId: 2 }]);
  });

  it.each([
    [404, 'no'],
    [503, 'unknown'],
  ])('tells that a call was answered with status %i, and whether it can have run: %s', async (status, executed) => {
    let broken = false;
    const server = await startHttpServer({ before: (_request, response) => broken && response.writeHead(status).end('gone') !== undefined });
    const { session } = await open(server.url);
    broken = true;
    const failure = await failureOf(session.callTool('echo', {}, LIMITS));
    expect(failure).toMatchObject({ code: 'http-error', httpStatus: status, executed });
    expect(failure.message).toContain(`status ${status}`);
  });
});

/** Sends a request and hides how long the answer is. */
const withoutLength: typeof fetch = async (url, init) => {
  const { body, status, headers } = await fetch(url, init);
  const others = [...headers].filter(([name]) => name !== 'content-length');
  return new Response(body, { status, headers: others });
};

describe('a JSON answer over HTTP that is too long', () => {
  const limits = { maxMessageBytes: 2_000 };
  const text = 'x'.repeat(3_000);

  it('fails its own call when it says its length', async () => {
    const server = await startHttpServer({ json: true });
    const { session } = await open(server.url, { limits });
    const failure = await failureOf(session.callTool('echo', { text }, LIMITS));
    expect(failure).toMatchObject({ code: 'limit-exceeded', executed: 'yes' });
    expect(failure.message).toContain('maxMessageBytes');
    expect(await session.callTool('echo', {}, LIMITS)).toBeDefined();
  });

  it('fails its own call when it does not, and shorter ones pass', async () => {
    const server = await startHttpServer({ json: true });
    const { session } = await open(server.url, { limits, effects: { fetch: withoutLength } });
    expect(await failureOf(session.callTool('echo', { text }, LIMITS))).toMatchObject({ code: 'limit-exceeded' });
    expect(await session.callTool('echo', { text: 'short' }, LIMITS)).toBeDefined();
  });
});

describe('a start over HTTP that fails', () => {
  it('says that nobody listens', async () => {
    const failure = await failureOf(open('http://127.0.0.1:9/mcp'));
    expect(failure.code).toBe('connect-failed');
    expect(failure.message).toMatch(/^server "web": .+/);
  });

  it('tells the status, and no configured secret although the server repeats it', async () => {
    const server = await listen((request, response) => response.writeHead(403).end(`bad key ${String(request.headers['x-api-key'])}`));
    const failure = await failureOf(open(server.url, { headers: { 'X-Api-Key': 'canary-key' } }));
    expect(failure.message).toContain('403');
    expect(failure.message).toContain('bad key [redacted]');
  });

  it('gives up on a server that does not answer', async () => {
    const server = await listen(() => {});
    expect(await failureOf(open(server.url, { limits: { connectTimeoutMs: 50 } }))).toMatchObject({ code: 'connect-timeout' });
  });

  it('does not repeat a URL or a header that cannot be used', async () => {
    for (const failure of [await failureOf(open('canary:secret@host')), await failureOf(open('http://localhost', { headers: { 'X-A': 'canary\n' } }))]) {
      expect(failure.code).toBe('connect-failed');
      expect(failure.message).not.toContain('canary');
      expect(failure.message).toMatch(/^server "web": /);
    }
  });
});
