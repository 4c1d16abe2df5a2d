/** An instance whose server goes away over HTTP recovers by the rules of every outage (B09, S52-S56, S59). */
import { afterEach, expect, it } from 'vitest';
import { RealApp } from '../reconnect/real-app.ts';
import { failureOf } from '../helpers/scripted-session.ts';
import { RawServer, refuse, reply, said, stream } from './raw-server.ts';

const app = new RealApp();

afterEach(async () => {
  await app.instance?.dispose();
  app.host.logs.length = 0;
});

async function load(server: RawServer, more: object = {}): Promise<void> {
  await app.load({ transport: 'streamable-http', url: server.url, reconnect: { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 4 }, streamRetryMs: 10, ...more });
}

function call(): Promise<unknown> {
  return app.host.call('mcp__real__echo', {});
}

it('opens one new session, with the list of now, after the old one expired; the call that met it did not run', async () => {
  const server = await RawServer.start();
  await load(server);
  server.forget();
  server.tools = ['echo', 'new'];
  expect(await failureOf(call())).toMatchObject({ code: 'http-error', executed: 'no', httpStatus: 404 });
  expect(await failureOf(call())).toMatchObject({ code: 'not-connected', executed: 'no' });
  await app.host.until(() => app.lines('info').some((line) => line.startsWith('recovered')));
  expect(app.tools).toEqual(['echo', 'new']);
  expect(await call()).toEqual(said('{}'));
  expect(server.of('initialize')).toHaveLength(2);
  expect(server.of('initialize')[1]?.headers['mcp-session-id']).toBeUndefined();
  expect(server.of('tools/call')).toHaveLength(2);
  expect(app.lines('warn')).toEqual([expect.stringMatching(/^connection lost: status 404: the server does not know this session any more .*; reconnecting: attempt 1 of 4 in 20 ms$/)]);
  expect(app.lines('info')).toContain('recovered at attempt 1 of 4: ready over streamable-http, 2 tools');
});

it('comes back when a server that was down is up again, and keeps the tools meanwhile', async () => {
  const server = await RawServer.start({ GET: (request) => void stream(request) });
  await load(server);
  await server.nth('GET', 1);
  await server.stop();
  await app.host.until(() => app.lines('warn').length === 3);
  expect(app.tools).toEqual(['echo']);
  expect(await failureOf(call())).toMatchObject({ code: 'not-connected', executed: 'no', message: expect.stringContaining('nobody listens') as unknown });
  await server.listen();
  await app.host.until(() => app.state?.state === 'ready');
  expect(await call()).toEqual(said('{}'));
  expect(app.lines('warn')).toEqual([
    expect.stringMatching(/^connection lost: nobody listens at .*; reconnecting: attempt 1 of 4 in 20 ms$/),
    expect.stringMatching(/^attempt 1 of 4 failed: .*nobody listens.*; reconnecting: attempt 2 of 4 in 40 ms$/),
    expect.stringMatching(/^attempt 2 of 4 failed: .*; reconnecting: attempt 3 of 4 in 80 ms$/),
  ]);
});

it('is given up when its attempts are spent, and its tools go', async () => {
  const server = await RawServer.start({ GET: (request) => void stream(request) });
  await load(server, { reconnect: { initialDelayMs: 5, maxDelayMs: 1_000, maxAttempts: 2 } });
  await server.nth('GET', 1);
  await server.stop();
  await app.host.until(() => app.state?.state === 'failed');
  expect(app.tools).toEqual([]);
  expect(app.lines('error')).toEqual([expect.stringMatching(/given up after 2 attempts/)]);
});

it('does not begin again for a 400 that means something else, however often it comes', async () => {
  const server = await RawServer.start();
  await load(server);
  server.on('tools/call', refuse(400, 'the session argument is wrong'));
  for (let index = 0; index < 3; index += 1) expect(await failureOf(call())).toMatchObject({ code: 'http-error', executed: 'no' });
  await server.nth('ping', 1);
  server.on('tools/call', (request) => reply(request, said('now')));
  expect(await call()).toEqual(said('now'));
  expect(server.of('initialize')).toHaveLength(1);
});

it('has a custom fetch and longer calls with progress from its config (B11, B29)', async () => {
  const server = await RawServer.start();
  const sent: string[] = [];
  const custom: typeof fetch = (url, init) => {
    sent.push(String(init?.method));
    return fetch(url, init);
  };
  await load(server, { fetch: custom, toolCallMaxTotalMs: 600_000 });
  expect(await call()).toEqual(said('{}'));
  expect(sent.length).toBeGreaterThan(3);
  expect(server.of('tools/call')[0]?.params['_meta']).toEqual({ progressToken: 1 });
});
