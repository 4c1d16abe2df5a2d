/** Outages of a real HTTP server in a process of its own, scripted over the fixture's control channel (B04, B05, B09, B10). */
import { received, startController, type Controller, type HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealApp } from '../reconnect/real-app.ts';

let controller: Controller;
let app: RealApp;

beforeEach(async () => {
  controller = await startController();
  app = new RealApp();
});

afterEach(async () => {
  await app.instance?.dispose();
  await controller.close();
});

const tools = [{ name: 'stay' }, { name: 'change' }];

async function load(scenario: Omit<ScenarioInput, 'scenario' | 'tools'>, config: object = {}): Promise<HttpFixtureServer> {
  const server = await controller.serve('real', { scenario: 1, tools, ...scenario }, { carrier: 'streamable-http' });
  await app.load({ transport: 'streamable-http', url: server.url, streamRetryMs: 10, reconnect: { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 8 }, ...config });
  expect(app.tools).toEqual(['stay', 'change']);
  return server;
}

/** Resolves with the n-th recovery. */
function recovered(n = 1): Promise<void> {
  return app.host.until(() => app.lines('info').filter((line) => line.startsWith('recovered')).length >= n);
}

/** That the server got so many calls, refused ones too, and no more. */
async function calledTimes(server: HttpFixtureServer, n: number): Promise<void> {
  await server.waitFor(received('tools/call', n), { since: 0 });
  expect(server.records.filter(received('tools/call', n + 1))).toEqual([]);
}

describe('a server over HTTP', () => {
  it('that is killed and started again is noticed while idle, and listed afresh', async () => {
    const server = await load({ rules: [{ when: { method: 'tools/list', incarnation: { from: 2 } }, do: [{ setTools: { tools: [{ name: 'stay' }, { name: 'new' }] } }, { default: {} }] }] });
    await server.kill();
    await app.host.until(() => app.state?.state === 'reconnecting');
    expect(app.tools).toEqual(['stay', 'change']);
    await expect(app.host.call('mcp__real__stay')).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
    await server.start();
    await recovered();
    expect(await app.host.call('mcp__real__stay')).toMatchObject({ content: [{ type: 'text' }] });
    expect(app.lines('warn')[0]).toMatch(/^connection lost: .*; reconnecting: attempt 1 of 8 in 20 ms$/);
  });

  it.each(['404-json', '404', '400', '200'] as const)('that forgets its sessions is noticed in its dialect (%s)', async (unknownSession) => {
    const server = await load({ http: { unknownSession, listen: false } });
    // The look at the list after connecting is over; otherwise it may meet the end before the call does.
    await app.host.until(() => app.lines('debug', 'info').some((line) => line.startsWith('tool list read again')));
    await server.do([{ closeSession: true }]);
    await expect(app.host.call('mcp__real__stay')).rejects.toMatchObject({ code: 'http-error', executed: 'no' });
    await recovered();
    expect(await app.host.call('mcp__real__stay')).toMatchObject({ content: [{ type: 'text' }] });
    await calledTimes(server, 2);
  });

  it.each([{ reset: 'request' }, { cut: 'request' }, { closeStream: 'request' }] as const)('whose answer stream meets %j fails that call alone, and never gets it again', async (end) => {
    const server = await load({ rules: [{ when: { method: 'tools/call', tool: 'stay' }, do: [{ openStream: {} }, end] }] });
    await expect(app.host.call('mcp__real__stay')).rejects.toMatchObject({ code: 'http-error', executed: 'unknown' });
    expect(await app.host.call('mcp__real__change')).toMatchObject({ content: [{ type: 'text' }] });
    expect(app.state?.state).toBe('ready');
    await calledTimes(server, 2);
  });

  it('resumes an answer that was cut off after an event with an id', async () => {
    const server = await load({
      http: { eventIds: true, retryMs: 20 },
      rules: [{ when: { method: 'tools/call', tool: 'stay' }, do: [{ openStream: {} }, { notify: { method: 'notifications/message', params: { level: 'info', data: 'x' } } }, { reset: 'request' }, { default: {} }] }],
    });
    expect(await app.host.call('mcp__real__stay')).toMatchObject({ content: [{ type: 'text' }] });
    await app.host.call('mcp__real__change');
    await calledTimes(server, 2);
  });

  it('whose headers are slow is waited for', async () => {
    await load({ rules: [{ when: { http: 'POST', nth: { from: 4, to: 4 } }, do: [{ delay: 200 }, { default: {} }] }] });
    expect(await app.host.call('mcp__real__stay')).toMatchObject({ content: [{ type: 'text' }] });
  });
});
