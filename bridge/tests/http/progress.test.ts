/** Progress keeps a call alive where that is asked for, up to a hard limit (B11, R38). */
import { describe, expect, it } from 'vitest';
import { failureOf } from '../helpers/scripted-session.ts';
import { openHttp } from './open.ts';
import { answer, event, RawServer, said, stream, type SeenRequest } from './raw-server.ts';

function progress({ params }: SeenRequest, token: unknown = Object.assign({ progressToken: undefined }, params['_meta']).progressToken): string {
  return event({ method: 'notifications/progress', params: { progressToken: typeof token === 'number' ? token : String(token), progress: 1 } });
}

describe('a call with progress', () => {
  it('asks for none unless it may extend the call', async () => {
    const server = await RawServer.start();
    const { session } = await openHttp(server.url);
    await session.callTool('echo', {}, { timeoutMs: 5_000 });
    await session.callTool('echo', {}, { timeoutMs: 5_000, maxTotalMs: 5_000 });
    expect(server.of('tools/call').map(({ params }) => params)).toEqual([{ name: 'echo', arguments: {} }, { name: 'echo', arguments: {} }]);
  });

  it('lives longer than its time of silence', async () => {
    const server = await RawServer.start({
      'tools/call': (request) => {
        const response = stream(request);
        let told = 0;
        const timer = setInterval(() => {
          told += 1;
          response.write(`${told < 7 ? progress(request) : answer(request, 'done')}\n\n`);
          if (told === 7) response.end(() => clearInterval(timer));
        }, 180);
      },
    });
    const { session } = await openHttp(server.url);
    expect(await session.callTool('slow', {}, { timeoutMs: 1_000, maxTotalMs: 30_000 })).toEqual(said('done'));
    expect(server.of('tools/call')[0]?.params).toEqual({ name: 'slow', arguments: {}, _meta: { progressToken: 1 } });
  });

  it('ends at the hard limit, however much of it comes', async () => {
    const server = await RawServer.start({
      'tools/call': (request) => {
        const response = stream(request);
        const timer = setInterval(() => response.write(`${progress(request)}\n\n`), 20);
        response.once('close', () => clearInterval(timer));
      },
    });
    const { session } = await openHttp(server.url);
    const failure = await failureOf(session.callTool('slow', {}, { timeoutMs: 599, maxTotalMs: 600 }));
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown', message: expect.stringContaining('was not answered within 600 ms') as unknown });
    expect(failure.message).toContain('`toolCallMaxTotalMs`');
    await server.nth('notifications/cancelled', 1);
  });

  it.each(['none', 'that of another call', 'odd'])('ends when it is silent: %s comes', async (kind) => {
    const server = await RawServer.start({
      'tools/call': (request) => void stream(request, ...(kind === 'none' ? [] : kind === 'odd' ? [event({ method: 'notifications/progress' })] : [progress(request, 77)])),
    });
    const { session } = await openHttp(server.url);
    const failure = await failureOf(session.callTool('slow', {}, { timeoutMs: 50, maxTotalMs: 30_000 }));
    expect(failure).toMatchObject({ code: 'call-timeout', executed: 'unknown', message: expect.stringContaining('neither an answer nor progress for 50 ms') as unknown });
    // On a busy machine the cancellation may overtake the call; 0 was `initialize`.
    expect((await server.nth('notifications/cancelled', 1)).params).toMatchObject({ requestId: 1 });
  });
});
