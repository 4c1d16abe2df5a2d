/** Whatever a client sends: a clear answer or a closed connection, and the next client is served. */
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startController, type Controller, type HttpFixtureServer } from 'mcp-fixture-server/control';
import type { ScenarioInput } from '../../../src/scenario/schema.ts';
import { fuzzRuns } from '../../fuzz-runs.ts';
import { createHttpClient, type HttpClient } from '../../http-client.ts';

/** Each run asks a real process: a tenth of the runs that the parser gets. */
const REAL = 0.1;

let controller: Controller;
let server: HttpFixtureServer;
let client: HttpClient;
beforeAll(async () => {
  controller = await startController();
  server = await controller.serve('fuzzed', { scenario: 1, tools: [{ name: 'a' }], http: { eventIds: true } }, { carrier: 'streamable-http' });
  client = createHttpClient(server.url);
  await client.handshake();
});
afterAll(() => controller.close());

/** Sends bytes on a connection of their own and resolves with all that comes back. */
function throwBytes(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.end(bytes);
  });
}

const headerText = fc.string({ unit: fc.constantFrom('a', 'X', '0', '9', '-', ',', ';', '/', '*', '=', ' ', '"', '\t'), maxLength: 40 });
const token = fc.string({ unit: fc.constantFrom('a', 'b', 'z', '-', '0'), minLength: 1, maxLength: 12 });

describe('bytes of any kind', () => {
  it('get an answer that is HTTP, or none', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 200 }).map((text) => Buffer.from(`POST /fuzzed/mcp HTTP/1.1\r\n${text}\r\n\r\n`)),
      fc.nat(200_000).map((length) => Buffer.from(`GET /fuzzed/mcp HTTP/1.1\r\nx: ${'y'.repeat(length)}\r\n\r\n`)),
    );
    await fc.assert(fc.asyncProperty(noise, async (bytes) => {
      const answer = await throwBytes(bytes);
      expect(answer === '' || answer.startsWith('HTTP/1.1 ')).toBe(true);
    }), fuzzRuns(150, REAL));
    expect((await client.send('POST', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });

  it('in headers and bodies get a status below 500, and requests their answer', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.constantFrom('ping', 'initialize', 'tools/list', 'tools/call', ''), params: fc.jsonValue() })
        .map((message) => Buffer.from(JSON.stringify(message))),
    );
    const headers = fc.dictionary(
      fc.constantFrom('accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id', 'origin', 'x-other'), headerText, { maxKeys: 3 },
    );
    await fc.assert(fc.asyncProperty(fc.constantFrom('POST', 'POST', 'POST', 'DELETE', 'PUT'), headers, body, async (method, fields, bytes) => {
      const own = createHttpClient(server.url);
      own.sessionId = method === 'DELETE' ? 'nobody' : client.sessionId;
      const reply = await own.send(method, method === 'DELETE' ? undefined : bytes, fields);
      expect(reply.status).toBeLessThan(500);
      if (reply.status >= 400) expect(reply.body).toMatch(/"message":"[^"]{5,}/);
      if (reply.status === 200) expect(reply.messages).toHaveLength(1);
    }), fuzzRuns(250, REAL));
    expect((await client.send('POST', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });

  it('in paths find nothing, or the server', async () => {
    await fc.assert(fc.asyncProperty(token, async (path) => {
      const { origin } = new URL(server.url);
      expect([400, 404]).toContain((await createHttpClient(`${origin}/${path}%`).send('GET')).status);
    }), fuzzRuns(20, REAL));
  });
});

type Rules = NonNullable<ScenarioInput['rules']>;
type Actions = Rules[number]['do'];

const target = fc.constantFrom('request' as const, 'listen' as const, 'all' as const);
const frame = fc.record({
  times: fc.constantFrom(1, 3), everyByte: fc.boolean(), crlf: fc.boolean(), bom: fc.boolean(), stream: fc.constantFrom('request' as const, 'listen' as const),
}, { requiredKeys: [] });
const bytes = fc.constantFrom('', 'x', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n', '5\r\nab');
const fields = fc.dictionary(fc.constantFrom('content-length', 'transfer-encoding', 'trailer', 'connection', 'content-type', 'x'), fc.constantFrom('1', 'chunked', 'x', 'close', '', 'keep-alive'), { maxKeys: 3 });
const anyRequest = fc.oneof<fc.Arbitrary<Actions[number]>[]>(
  fc.record({ status: fc.integer({ min: 200, max: 599 }), headers: fields, body: fc.string({ maxLength: 20 }) }).map((respond) => ({ respond })),
  fc.record({ headers: fields, retryMs: fc.nat(10) }, { requiredKeys: [] }).map((openStream) => ({ openStream })),
  target.map((closeStream) => ({ closeStream })),
  target.map((cut) => ({ cut })),
  target.map((reset) => ({ reset })),
  fc.record({ text: bytes, to: fc.constantFrom('body' as const, 'connection' as const) }).map((raw) => ({ raw })),
  frame.map((each) => ({ notify: { method: 'n', frame: each } })),
  frame.map((each) => ({ request: { id: 'q', method: 'ping', frame: each } })),
  fc.constantFrom<Actions[number]>({ closeSession: true }, { drop: true }, { delay: 1 }, { default: {} }, { redirect: { to: 'self', status: 307 } }, { restart: true }),
);
const answering = fc.oneof(anyRequest, frame.map((each): Actions[number] => ({ reply: { result: 1, frame: each } })), fc.constant<Actions[number]>({ oversize: { bytes: 100_000 } }));
const anyRules = fc.tuple(
  fc.array(anyRequest, { minLength: 1, maxLength: 4 }).map((actions): Rules[number] => ({ when: { http: 'any', nth: { from: 4 } }, do: actions })),
  fc.array(answering, { minLength: 1, maxLength: 5 }).map((actions): Rules[number] => ({ when: { method: 'x' }, do: actions })),
  fc.array(anyRequest, { minLength: 1, maxLength: 3 }).map((actions): Rules[number] => ({ when: { inputEnd: true }, do: actions })),
);

describe('scripts of any kind', () => {
  it('leave a server that serves the next client', async () => {
    const [process_] = server.processes;
    await fc.assert(fc.asyncProperty(anyRules, fc.boolean(), fc.constantFrom('json' as const, 'event-stream' as const), async (rules, eventIds, answers) => {
      await server.program({ scenario: 1, rules, http: { eventIds, answers } });
      const own = createHttpClient(server.url);
      await own.handshake();
      const all = [['GET', undefined], ['POST', { jsonrpc: '2.0', id: 1, method: 'x' }], ['POST', { jsonrpc: '2.0', method: 'x' }], ['DELETE', undefined]] as const;
      const since = server.records.length;
      for (const [method, message] of all) own.open(method, message).catch(() => undefined);
      // One may reset the connections of the others: that the first has fired is all that can be awaited.
      await server.waitFor((record) => record.kind === 'fault', { since });
      await server.program({ scenario: 1, tools: [{ name: 'a' }] });
      const healthy = createHttpClient(server.url);
      await healthy.handshake();
      expect((await healthy.ask('tools/list')).result?.tools).toHaveLength(1);
    }), fuzzRuns(100, REAL));
    expect(server.processes).toEqual([process_]);
    expect(server.stderr()).toBe('');
  });
});
