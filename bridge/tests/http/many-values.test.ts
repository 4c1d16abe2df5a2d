/** An answer of very many values is refused before it is parsed, whichever way it comes (B01). */
import { expect, it } from 'vitest';
import { failureOf, LIMITS } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { event, RawServer, reply, stream, type SeenRequest } from './raw-server.ts';

/** As many values as the tool's name says. */
const result = ({ params }: SeenRequest): { list: number[] } => ({ list: Array.from({ length: Number(params['name']) }, () => 0) });

it.each([
  ['JSON', (request: SeenRequest) => reply(request, result(request)), 'yes'],
  ['an event stream', (request: SeenRequest) => void stream(request, event({ id: Number(request.id), result: result(request) })).end(), 'unknown'],
])('an answer that comes as %s', async (_how, script, executed) => {
  const server = await RawServer.start({ 'tools/call': script });
  const { session } = await openHttp(server.url, { limits: { maxMessageValues: 1_000 } });
  const message: unknown = expect.stringContaining('more values than `maxMessageValues` (1000) allows');
  expect(await failureOf(session.callTool('1500', {}, LIMITS))).toMatchObject({ code: 'limit-exceeded', executed, message });
  expect(await session.callTool('900', {}, LIMITS)).toMatchObject({ list: { length: 900 } });
});
