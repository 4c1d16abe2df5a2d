/** What a script can do to HTTP: statuses, heads, streams, connections, the port, the process. */
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeRecord, ended, held, received, sent, startController, type Controller, type HttpFixtureServer } from 'mcp-fixture-server/control';
import { identify, isRunning } from '../../../src/control/processes.ts';
import type { ScenarioInput } from '../../../src/scenario/schema.ts';
import { createHttpClient, type HttpClient } from '../../http-client.ts';

let controller: Controller;
let server: HttpFixtureServer;
let client: HttpClient;
beforeAll(async () => {
  controller = await startController();
  server = await controller.serve('s', { scenario: 1 }, { carrier: 'streamable-http' });
});
afterAll(() => controller.close());
beforeEach(() => {
  client = createHttpClient(server.url);
});

type Rules = NonNullable<ScenarioInput['rules']>;
const script = (rules: Rules, http: ScenarioInput['http'] = {}): Promise<void> => server.program({ scenario: 1, tools: [{ name: 'a' }], rules, http });
const on = (method: string, ...actions: Rules[number]['do']): Rules[number] => ({ when: { method }, do: actions });
const ask = (method: string): object => ({ jsonrpc: '2.0', id: 1, method });

describe('responses', () => {
  it('are whatever a rule about the message says', async () => {
    await script([on('x', { delay: 5 }, { respond: { status: 401, headers: { 'WWW-Authenticate': 'Bearer', 'content-type': 'application/json' }, body: '{}' } })]);
    await client.handshake();
    const reply = await client.send('POST', ask('x'));
    expect([reply.status, reply.headers['www-authenticate'], reply.headers['content-type'], reply.body]).toEqual([401, 'Bearer', 'application/json', '{}']);
  });

  it('are whatever a rule about the request says, before anything is looked at (R48)', async () => {
    await script([
      { when: { http: 'GET', nth: 1 }, do: [{ respond: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' } }] },
      { when: { http: 'GET', nth: 2 }, do: [{ respond: { status: 406 } }] },
      { when: { http: 'DELETE' }, do: [{ respond: { status: 405 } }] },
      { when: { http: 'POST', incarnation: { from: 1 }, nth: { from: 3, to: 4 } }, do: [{ respond: { status: 503, headers: { 'retry-after': '1' } } }] },
      { when: { http: 'any' }, do: [{ delay: 1 }, { default: {} }] },
    ]);
    await client.handshake();
    expect((await client.send('GET', undefined, { accept: 'text/plain' })).body).toBe('{"ok":true}');
    expect((await client.send('GET')).status).toBe(406);
    expect((await client.send('DELETE')).status).toBe(405);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await client.send('POST', ask('ping'))).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('lead to another port of the same server, which is told apart', async () => {
    await script(
      [
        { when: { http: 'POST', origin: 'other' }, do: [{ respond: { status: 418 } }] },
        { when: { http: 'POST', nth: 3 }, do: [{ redirect: { to: 'other', status: 307 } }] },
        { when: { http: 'POST', nth: 4 }, do: [{ redirect: { to: 'self', status: 302 } }] },
      ],
      { origins: ['other'] },
    );
    await client.handshake();
    const moved = await client.send('POST', ask('ping'));
    const to = moved.headers.location ?? '';
    expect([moved.status, new URL(to).hostname, new URL(to).pathname]).toEqual([307, '127.0.0.1', '/s/mcp']);
    expect(new URL(to).port).not.toBe(new URL(server.url).port);
    expect((await client.send('POST', ask('ping'))).headers.location).toBe(server.url);
    const there = createHttpClient(to);
    expect((await there.send('POST', ask('ping'))).status).toBe(418);
  });

  it('may have their head long before their first message, or never come', async () => {
    await script([
      on('slow', { openStream: { headers: { 'X-Early': 'yes' }, retryMs: 7 } }, { hold: 'h' }, { default: {} }),
      on('never', { drop: true }),
    ]);
    await client.handshake();
    const slow = await client.open('POST', ask('slow'));
    expect([slow.headers['x-early'], slow.text()]).toEqual(['yes', '']);
    await server.release('h');
    expect(await slow.ended).toMatch(/^retry: 7\nevent: message\n/);
    const never = client.send('POST', ask('never')).then(() => 'answered', () => 'cut');
    await server.waitFor(received('never'));
    await client.send('POST', ask('ping'));
    await server.do([{ reset: 'all' }]);
    expect(await never).toBe('cut');
  });

  it('cannot be changed once they began, and the trace says so', async () => {
    await script([on('x', { openStream: {} }, { respond: { status: 500 } }, { default: {} })]);
    await client.handshake();
    expect((await client.send('POST', ask('x'))).status).toBe(200);
    await server.waitFor((record) => record.kind === 'process' && record.event === 'note' && (record.text ?? '').startsWith('respond: '));
    const lines = server.records.map((record) => describeRecord(record)).join('\n');
    expect(lines).toMatch(/--> POST \d+ \/s\/mcp \{"jsonrpc":"2.0","id":1,"method":"x"\}\n[^]*<-- POST \d+ 200\n[^]*<-- POST \d+ \(complete\)/);
  });

  it('that contradict HTTP itself are none, and the server lives on', async () => {
    await script([{ when: { http: 'POST', nth: 3 }, do: [{ respond: { status: 200, headers: { trailer: 'x', 'content-length': '1' }, body: 'long' } }] }]);
    await client.handshake();
    await expect(client.send('POST', ask('ping'))).rejects.toThrow();
    expect((await client.send('POST', ask('ping'))).status).toBe(200);
  });

  it('may go out on another stream', async () => {
    await script([on('x', { default: { frame: { stream: 'listen' } } }, { closeStream: 'request' })]);
    await client.handshake();
    const listening = await client.listen();
    const reply = await client.send('POST', ask('x'));
    expect([reply.status, reply.body]).toEqual([200, '']);
    await listening.until((text) => text.includes('"id":1'));
    listening.close();
  });
});

describe('streams', () => {
  it.each(['cut', 'reset'] as const)('end in the middle, after what was sent before, by %s', async (how) => {
    await script([on('x', { notify: { method: 'n' } }, how === 'cut' ? { cut: 'request' } : { reset: 'request' }, { default: {} })]);
    await client.handshake();
    const reply = await client.open('POST', ask('x'));
    await expect(reply.ended).rejects.toThrow();
    expect(reply.text()).toContain('"n"');
    expect(reply.text()).not.toContain('"id":1');
  });

  it('end as they should and without an answer, in either form', async () => {
    await script([on('x', { closeStream: 'request' })]);
    await client.handshake();
    expect(await client.send('POST', ask('x'))).toMatchObject({ status: 200, body: '', headers: { 'content-type': 'text/event-stream' } });
    await script([on('x', { closeStream: 'request' })], { answers: 'json' });
    expect(await client.send('POST', ask('x'))).toMatchObject({ status: 200, body: '', headers: { 'content-type': 'application/json' } });
  });

  it('end in the middle of a chunk, or with bytes that are no HTTP', async () => {
    await script([
      on('chunk', { openStream: {} }, { raw: { text: 'ff\r\ndata: half', to: 'connection' } }, { cut: 'request' }),
      on('line', { raw: { text: 'HTTP/9.9 what\r\n\r\n', to: 'connection' } }, { closeStream: 'request' }),
      on('event', { raw: { text: ': a comment\n\nretry: 5\n\n' } }, { default: {} }),
    ]);
    await client.handshake();
    const reply = await client.open('POST', ask('chunk'));
    await expect(reply.ended).rejects.toThrow();
    expect(reply.text()).toBe('data: half');
    await expect(client.send('POST', ask('line'))).rejects.toThrow(/Parse Error/);
    expect((await client.send('POST', ask('event'))).body).toMatch(/^: a comment\n\nretry: 5\n\nevent: message\n/);
  });

  it('that nobody reads fill no memory, and control is heard meanwhile', async () => {
    await script([]);
    await client.handshake();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.pause();
    socket.write(`GET /s/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nmcp-session-id: ${client.sessionId}\r\n\r\n`);
    const since = server.records.length;
    await server.waitFor((record) => record.kind === 'frame' && record.http?.method === 'GET' && record.http.status === 200, { since });
    await server.do([{ notify: { method: 'n', params: { text: 'x'.repeat(100_000) }, frame: { times: 2_000 } } }]);
    expect((await server.environment([])).names.length).toBeGreaterThan(0);
    await client.send('POST', ask('ping'));
    expect(server.records.slice(since).filter(sent('n', 1_900))).toEqual([]);
    socket.destroy();
    await server.waitFor((record) => record.kind === 'frame' && record.http?.ended === 'cut', { since });
    expect((await client.send('POST', ask('ping'))).status).toBe(200);
  });

  it('of the listening kind end by command, the session goes on', async () => {
    await script([]);
    await client.handshake();
    const listening = await client.listen();
    await server.do([{ closeStream: 'listen' }]);
    expect(await listening.ended).toBe('');
    expect((await client.send('POST', ask('ping'))).status).toBe(200);
  });
});

describe('sessions', () => {
  it('expire in the middle of a call, which is still answered', async () => {
    await script([on('x', { closeSession: true }, { hold: 'expired' }, { default: {} })]);
    await client.handshake();
    const call = client.send('POST', ask('x'));
    await server.waitFor(held('expired'));
    expect((await client.send('POST', ask('ping'))).status).toBe(404);
    await server.release('expired');
    expect((await call).messages).toMatchObject([{ id: 1 }]);
  });

  it('outlive a DELETE that is answered with a lie', async () => {
    await script([{ when: { http: 'DELETE' }, do: [{ respond: { status: 200 } }] }]);
    await client.handshake();
    expect((await client.send('DELETE')).status).toBe(200);
    expect((await client.send('POST', ask('ping'))).status).toBe(200);
  });

  it('say something when the client deletes them', async () => {
    await script([{ when: { inputEnd: true }, do: [{ delay: 1 }, { respond: { status: 204 } }] }]);
    await client.handshake();
    expect((await client.send('DELETE')).status).toBe(204);
    expect((await client.send('POST', ask('ping'))).status).toBe(404);
  });
});

describe('the port', () => {
  it('is closed for a while by rule: connections are reset, then refused, then there again; the session stays', async () => {
    await script([on('x', { down: true }, { hold: 'down' }, { up: true })]);
    await client.handshake();
    await expect(client.send('POST', ask('x'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(client.send('POST', ask('ping'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const since = server.records.length;
    await server.release('down');
    await server.waitFor((record) => record.kind === 'process' && record.event === 'up', { since });
    expect((await client.send('POST', ask('ping'))).status).toBe(200);
  });

  it('is closed and opened by command, without any session', async () => {
    await script([]);
    await server.do([{ restart: true }]);
    await server.do([{ down: true }]);
    await expect(client.handshake()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.do([{ down: true }, { up: true }, { up: true }]);
    expect((await client.handshake()).status).toBe(200);
  });

  it('stays while a restart forgets every session', async () => {
    await script([]);
    await client.handshake();
    const listening = await client.listen();
    await server.do([{ restart: true }]);
    await expect(listening.ended).rejects.toThrow();
    expect((await client.send('POST', ask('ping'))).status).toBe(404);
    client.sessionId = undefined;
    expect((await client.handshake()).status).toBe(200);
  });
});

describe('the process', () => {
  it('is killed and started again on the same port by its test; sessions are forgotten, incarnations count on', async () => {
    await script([]);
    await client.handshake();
    const [before] = server.processes;
    const incarnation = Math.max(...server.records.map((record) => record.incarnation));
    await server.kill();
    expect(await server.waitFor(ended())).toMatchObject({ kind: 'process', event: 'exit', pid: before?.pid });
    await expect(client.send('POST', ask('ping'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.start();
    await server.start();
    expect((await client.send('POST', ask('ping'))).status).toBe(404);
    client.sessionId = undefined;
    await client.handshake();
    expect(server.processes.filter(({ alive }) => alive)).toHaveLength(1);
    expect(server.records.at(-1)?.incarnation).toBe(incarnation + 1);
    await server.restart();
    expect(server.processes).toHaveLength(3);
  });

  it('counts processes, not sessions, if the scenario says so', async () => {
    const counted = await controller.serve('counted', {
      scenario: 1, countFrom: 'spawn', rules: [{ when: { method: 'x', incarnation: 2 }, do: [{ reply: { result: 'second' } }] }],
    }, { carrier: 'streamable-http' });
    const one = createHttpClient(counted.url);
    for (const expected of [undefined, undefined, 'second']) {
      one.sessionId = undefined;
      if (expected !== undefined) await counted.do([{ restart: true }]);
      await one.handshake();
      expect((await one.ask('x')).result).toBe(expected);
    }
    await counted.close();
    await expect(counted.start()).rejects.toThrow('was closed');
  });

  it('leaves no grandchild when its server is closed', async () => {
    const parent = await controller.serve('parent', {
      scenario: 1, rules: [on('x', { spawn: { ignoreTerm: true, ownGroup: true } }, { default: {} })],
    }, { carrier: 'streamable-http' });
    const own = createHttpClient(parent.url);
    await own.handshake();
    await own.ask('x');
    const record = await parent.waitFor((each) => each.kind === 'process' && each.event === 'grandchild');
    const grandchild = identify(record.kind === 'process' ? record.childPid ?? 0 : 0);
    expect(isRunning(grandchild)).toBe(true);
    await parent.close();
    expect(isRunning(grandchild)).toBe(false);
  });

  it('that cannot listen says why', async () => {
    const port = Number(new URL(server.url).port);
    await expect(controller.serve('taken', { scenario: 1 }, { carrier: 'streamable-http', port })).rejects.toThrow(/cannot serve: listen EADDRINUSE/);
    await (await controller.serve('taken', { scenario: 1 }, { carrier: 'streamable-http' })).close();
  });

  it('ends with its controller', async () => {
    const other = await startController();
    const lost = await other.serve('lost', { scenario: 1 }, { carrier: 'streamable-http' });
    const process_ = identify(lost.processes[0]?.pid ?? 0);
    expect(isRunning(process_)).toBe(true);
    await other.close();
    expect(isRunning(process_)).toBe(false);
  });
});
