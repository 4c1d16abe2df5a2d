/** Whether a session counts as gone is told by one `ping`, and by its refusal alone (B09, R46). */
import { expect, it } from 'vitest';
import { HttpEndpoint } from '../../src/transport/http-endpoint.ts';
import { SessionProbe } from '../../src/transport/session-probe.ts';

const LOST = { jsonrpc: '2.0', id: 'probe-1', error: { code: -32_001, message: 'Session not found' } };

interface Probed {
  readonly probe: SessionProbe;
  readonly lost: string[];
  readonly bodies: unknown[];
}

/** A probe that meets these answers, then nothing for ever. */
function probing(answers: (Response | Error)[], hasSession = true, timeoutMs = 60_000): Probed {
  const lost: string[] = [];
  const bodies: unknown[] = [];
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined);
    const next = answers.shift();
    if (next !== undefined) return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const endpoint = new HttpEndpoint({ url: new URL('http://localhost/mcp'), headers: {}, fetch, errorBodyTimeoutMs: 1_000, sessionLostOn400: true });
  if (hasSession) endpoint.sessionId = 's';
  return { probe: new SessionProbe(endpoint, timeoutMs, (why) => lost.push(why)), lost, bodies };
}

it.each<readonly [string, () => (Response | Error)[], boolean, RegExp | undefined]>([
  ['is lost by the status of one', () => [new Response('gone', { status: 404 })], true, /^status 404: the server does not know this session any more/],
  ['is lost by what an answer says', () => [Response.json(LOST)], true, /^the server does not know this session any more \(it says: Session not found\)$/],
  ['is lost when the network fails twice', () => [new Error('reset'), new Error('reset')], true, /broke before there was an answer/],
  ['lives when the network fails once', () => [new Error('reset'), Response.json({ jsonrpc: '2.0', id: 'probe-1', result: {} })], true, undefined],
  ['lives when it answers', () => [Response.json({ jsonrpc: '2.0', id: 'probe-1', result: {} })], true, undefined],
  ['lives when it refuses for another reason', () => [new Response('no', { status: 403 })], true, undefined],
  ['cannot be lost where there is none', () => [Response.json(LOST)], false, undefined],
])('a session %s', async (_what, answers, hasSession, why) => {
  const { probe, lost } = probing(answers(), hasSession);
  await probe.begin();
  expect(lost).toEqual(why === undefined ? [] : [expect.stringMatching(why)]);
});

it('sends one ping at a time, each with an id of its own', async () => {
  const { probe, bodies } = probing([Response.json({}), Response.json({})]);
  const first = probe.begin();
  expect(probe.begin()).toBe(first);
  await first;
  await probe.begin();
  expect(bodies).toEqual(['probe-1', 'probe-2'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
});

it('proves nothing by silence, or when it is stopped', async () => {
  const silent = probing([], true, 5);
  await silent.probe.begin();
  const stopped = probing([]);
  const probe = stopped.probe.begin();
  stopped.probe.stop();
  await probe;
  expect([silent.lost, stopped.lost]).toEqual([[], []]);
});
