/** What becomes of a session, and of what waits in it, when the bridge closes it; how long a notification may take (B09, R52). */
import { describe, expect, it } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { closed, RawServer, refuse, reply, said, stream } from './raw-server.ts';

describe('a session that is closed', () => {
  it('is not deleted where there is none', async () => {
    const server = await RawServer.start();
    server.hasSessions = false;
    const { session } = await openHttp(server.url);
    await session.close();
    expect(server.of('DELETE')).toEqual([]);
  });

  it('is deleted when the start fails after it began', async () => {
    const server = await RawServer.start({ 'notifications/initialized': refuse(403, 'no') });
    expect(await failureOf(openHttp(server.url))).toMatchObject({ code: 'connect-failed', httpStatus: 403 });
    expect(server.of('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1']);
  });

  it('ends its event stream and its calls', async () => {
    const server = await RawServer.start({ GET: (request) => void stream(request), 'tools/call': (request) => void stream(request) });
    const { session, lost } = await openHttp(server.url);
    const call = failureOf(session.callTool('echo', {}, LIMITS));
    const [get, post] = await Promise.all([server.nth('GET', 1), server.nth('tools/call', 1)]);
    await session.close();
    await Promise.all([get, post].map(closed));
    expect(await call).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(lost).toEqual([]);
  });

  it('answers a ping of the server until then', async () => {
    const server = await RawServer.start({ 'tools/call': (request) => void stream(request, 'data: {"jsonrpc":"2.0","id":"p","method":"ping"}') });
    const { session } = await openHttp(server.url);
    const call = failureOf(session.callTool('echo', {}, LIMITS));
    expect((await server.nth('answer', 1)).id).toBe('p');
    await session.close();
    expect(await call).toMatchObject({ code: 'connection-lost' });
  });
});

it('bounds how long a notification may take to be accepted', async () => {
  const server = await RawServer.start({ 'tools/call': () => {}, 'notifications/cancelled': () => {} });
  const { session, reports } = await openHttp(server.url, { limits: { noticePostTimeoutMs: 300 } });
  expect(await failureOf(session.callTool('echo', {}, { timeoutMs: 200 }))).toMatchObject({ code: 'call-timeout' });
  const [call, cancel] = await Promise.all([server.nth('tools/call', 1), server.nth('notifications/cancelled', 1)]);
  await Promise.all([call, cancel].map(closed));
  expect(await session.listToolsPage(undefined, LIMITS)).toMatchObject({ tools: [{ name: 'echo' }] });
  expect(reports.filter((report) => report.includes('did not answer within 300 ms'))).toEqual([expect.stringMatching(/^debug: /)]);
  reply(call, said('too late'));
});
