/** An answer that is none, or that comes another way (B04, B05). */
import { describe, expect, it } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { answer, breakOff, event, RawServer, refuse, said, stream } from './raw-server.ts';

describe('an answer that is none', () => {
  it.each([
    ['JSON of another request', refuse(200, '{"jsonrpc":"2.0","id":99,"result":{}}', 'application/json'), 'no answer to this request'],
    ['no JSON', refuse(200, 'oops', 'application/json'), 'no answer to this request'],
    ['a web page', refuse(200, '<!doctype html><html>', 'text/html; charset=utf-8'), 'answered with a web page, not with MCP'],
    ['another type', refuse(200, 'a,b', 'text/csv'), 'content of the type text/csv'],
    ['202 where no stream could bring it', refuse(202), 'status 202 promises no answer'],
    ['an empty event stream', refuse(200, '', 'text/event-stream'), 'ended before the answer came'],
  ])('fails its call at once: %s', async (_what, script, words) => {
    const server = await RawServer.start({ 'tools/call': script });
    const { session } = await openHttp(server.url);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown', message: expect.stringContaining(words) as unknown });
    expect(server.of('tools/call')).toHaveLength(1);
    expect(session.isOpen).toBe(true);
  });

  it('names no type where the server states none', async () => {
    const server = await RawServer.start({ 'tools/call': ({ response }) => void response.writeHead(200).end('x') });
    const { session } = await openHttp(server.url);
    expect((await failureOf(session.callTool('echo', {}, LIMITS))).message).toContain('content of no stated type');
  });

  it('fails its call at once when it breaks off', async () => {
    const server = await RawServer.start({
      'tools/call': (request) => {
        request.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        request.response.write('{"jsonrpc"');
      },
    });
    const { session } = await openHttp(server.url, {
      fetch: async (...request) => {
        const response = await fetch(...request);
        server.of('tools/call').forEach(breakOff);
        return response;
      },
    });
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'http-error', executed: 'unknown', message: expect.stringContaining('broke off') as unknown });
    await server.nth('ping', 1);
  });

  it.each([202, 204])('may come by the stream for notices after status %i', async (status) => {
    const server = await RawServer.start({ GET: (request) => void stream(request) });
    server.on('tools/call', (request) => {
      refuse(status)(request);
      server.of('GET')[0]?.response.write(`${answer(request, 'later')}\n\n`);
    });
    const { session } = await openHttp(server.url, { limits: { answerDrainMs: 10 } });
    await server.nth('GET', 1);
    // The client has the headers of the stream once it answers a ping that came by it.
    server.of('GET')[0]?.response.write(`${event({ id: 'p', method: 'ping' })}\n\n`);
    await server.nth('answer', 1);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('later'));
  });

  it('may be in a batch', async () => {
    const server = await RawServer.start({ 'tools/call': ({ response, id }) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([1, { jsonrpc: '2.0', id, result: said('first') }])) });
    const { session } = await openHttp(server.url);
    expect(await session.callTool('echo', {}, LIMITS)).toEqual(said('first'));
  });
});
