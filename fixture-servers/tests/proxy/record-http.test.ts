import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createEventTap } from '../../src/proxy/http/event-tap.ts';
import { recordHttp, type HttpRecorder } from '../../src/proxy/http/record-http.ts';
import { createRecorder } from '../../src/trace/recorder.ts';
import { traceRecord, type FrameRecord } from '../../src/trace/schema.ts';
import { loadConversations } from '../../src/trace/conversation/load.ts';
import { replayHttp } from '../../src/proxy/replay/replay-http.ts';
import { BIN } from '../client.ts';
import { recordsOf, temporaryFolder } from '../trace/records.ts';

const folder = temporaryFolder();
let handler: RequestListener = (_request, response) => void response.end();
const origin: Server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1');
await once(origin, 'listening');
const address = origin.address();
const target = new URL(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`);
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

let lines: string[] = [];
const warnings: string[] = [];
const proxy: HttpRecorder = await recordHttp({
  target, port: 0, warn: (text) => void warnings.push(text),
  recorder: createRecorder({ server: 'web', carrier: 'streamable-http', pid: 1 }, [(line) => void lines.push(line)]),
});
afterAll(() => proxy.close());
afterEach(() => {
  lines = [];
});

const frames = (): FrameRecord[] => lines.map((line) => traceRecord.parse(JSON.parse(line))).filter((each) => each.kind === 'frame');

/** A request over a bare connection. */
function ask(method: string, headers: Record<string, string>, body?: Buffer, url = proxy.url): Promise<IncomingMessage> {
  const sent = httpRequest(url, { method, headers });
  sent.end(body);
  return new Promise((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
}

async function bytesOf(message: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('recording a Streamable HTTP server', () => {
  it('passes bodies on byte for byte, with status and header fields of both directions', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.constantFrom(200, 202, 400, 404, 500), async (body, status) => {
      let seen: { headers: IncomingMessage['headers']; body: Buffer } | undefined;
      handler = (request, response) => {
        void bytesOf(request).then((bytes) => {
          seen = { headers: request.headers, body: bytes };
          return response.writeHead(status, ['X-Odd', 'a', 'x-odd', 'b', 'Content-Type', 'application/octet-stream']).end(Buffer.from(body.toReversed()));
        });
      };
      const response = await ask('POST', { 'content-type': 'application/json', 'X-Key': 'k1', 'content-length': String(body.length) }, Buffer.from(body));
      expect((await bytesOf(response)).equals(Buffer.from(body.toReversed()))).toBe(true);
      expect(seen?.body.equals(Buffer.from(body))).toBe(true);
      expect(seen?.headers).toMatchObject({ 'x-key': 'k1', host: target.host });
      expect([response.statusCode, response.rawHeaders.slice(0, 4)]).toEqual([status, ['X-Odd', 'a', 'x-odd', 'b']]);
    }), { numRuns: 15 });
  });

  it('passes each event on when it comes, and records each with its request', async () => {
    let goOn: (() => void) | undefined;
    handler = (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's-1' });
      response.write('id: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"a"}\r\n\r');
      goOn = () => void response.end('\n: comment\n\nevent: message\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n');
    };
    const response = await ask('POST', {}, Buffer.from('{"jsonrpc":"2.0","id":7,"method":"m"}'));
    await once(response, 'readable');
    await vi.waitFor(() => expect(frames()).toHaveLength(3));
    goOn?.();
    await bytesOf(response);
    await vi.waitFor(() => expect(frames()).toHaveLength(5));
    const [question] = frames();
    const exchange = question?.http?.exchange;
    expect(frames().map(({ raw, session, http }) => [raw, session, http?.exchange === exchange, http?.status, http?.event, http?.ended])).toEqual([
      ['{"jsonrpc":"2.0","id":7,"method":"m"}', undefined, true, undefined, undefined, undefined],
      ['', 's-1', true, 200, undefined, undefined],
      ['{"jsonrpc":"2.0",\n"method":"a"}', 's-1', true, 200, '1', undefined],
      ['{"jsonrpc":"2.0","id":7,"result":{}}', 's-1', true, 200, '', undefined],
      ['', 's-1', true, 200, undefined, 'complete'],
    ]);
  });

  it('reads packed answers for the trace and passes them on packed', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"ü":1}}';
    handler = (_request, response) => void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(text));
    const response = await ask('POST', { 'accept-encoding': 'gzip' }, Buffer.from('{}'));
    expect((await bytesOf(response)).equals(gzipSync(text))).toBe(true);
    await vi.waitFor(() => expect(frames().at(-1)?.raw).toBe(text));
  });

  it('cuts off what the server cuts off, says that it cannot be reached, and keeps redirects within it', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"half', () => response.destroy());
    };
    await expect(bytesOf(await ask('POST', {}, Buffer.from('{}')))).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(frames().at(-1)?.http?.ended).toBe('cut'));
    handler = (request) => void request.socket.destroy();
    await expect(ask('POST', {}, Buffer.from('{}'))).rejects.toThrow(/hang up|ECONNRESET/);
    expect(warnings.at(-1)).toContain('POST /mcp: the server cannot be reached');
    handler = (_request, response) => void response.writeHead(307, { location: `${target.origin}/other` }).end();
    expect((await ask('GET', {})).headers.location).toBe(`${new URL(proxy.url).origin}/other`);
  });

  it('refuses a page of another name, whose requests the server would have refused itself', async () => {
    handler = (_request, response) => void response.end('reached');
    expect((await ask('POST', { host: 'evil.example' })).statusCode).toBe(403);
  });

  it('ends the request of a client that leaves', async () => {
    let left = false;
    handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      response.on('close', () => {
        left = true;
      });
    };
    (await ask('GET', {})).destroy();
    await vi.waitFor(() => expect(left).toBe(true));
  });

  it('prints where it listens, and ends with its trace whole', async () => {
    const path = folder.path('http.jsonl');
    handler = (_request, response) => void response.writeHead(202).end();
    const child = spawn(process.execPath, [BIN, 'record', '--http', target.href, '--out', path], { stdio: ['ignore', 'pipe', 'pipe'] });
    const url = await new Promise<string>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    });
    expect((await ask('POST', {}, Buffer.from('{"jsonrpc":"2.0","method":"n"}'), url)).statusCode).toBe(202);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const { lives } = await loadConversations(path, undefined, () => undefined);
    expect(lives[0].turns.map(({ method }) => method)).toEqual(['', 'n']);
  });
});

function read(chunks: readonly Buffer[]): unknown[] {
  const tap = createEventTap(1000);
  return chunks.flatMap((chunk) => tap.look(chunk));
}

describe('reading an event stream', () => {
  it('finds the same events however it is cut', () => {
    const stream = Buffer.from('\uFEFFid: 1\ndata: a\ndata: ü\n\n:c\r\rdata:x\r\n\r\ndata\n\nid: 2\n\nretry: 5\n\ndata: unfinished');
    const whole = read([stream]);
    expect(whole).toEqual([{ id: '1', data: 'a\nü' }, { id: undefined, data: 'x' }, { id: undefined, data: '' }, { id: '2', data: '' }]);
    fc.assert(fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const sorted = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      expect(read(sorted.slice(1).map((to, index) => stream.subarray(sorted[index], to)))).toEqual(whole);
    }), { numRuns: 100 });
  });
});

describe('replaying over Streamable HTTP', () => {
  it('answers alone as JSON, after something else as an event stream, and lists changes on the stream that listens', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
    s2c({ jsonrpc: '2.0', id: 0, result: { ok: true } });
    c2s({ jsonrpc: '2.0', method: 'notifications/initialized' });
    s2c({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    c2s({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', _meta: { progressToken: 1 } } });
    s2c({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    s2c({ jsonrpc: '2.0', id: 1, result: { done: true } });
    const complaints: string[] = [];
    const server = await replayHttp(await loadConversations(folder.trace('web.jsonl', records), undefined, () => undefined), 0, {
      stderr: () => undefined, end: () => undefined, complain: (text) => void complaints.push(text),
    });
    const post = (body: object, headers: Record<string, string> = {}): Promise<IncomingMessage> => ask('POST', headers, Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...body })), server.url);
    const opened = await post({ id: 'a', method: 'initialize', params: { clientInfo: {} } });
    expect(JSON.parse((await bytesOf(opened)).toString())).toEqual({ jsonrpc: '2.0', id: 'a', result: { ok: true } });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    expect((await post({ method: 'notifications/initialized' }, session)).statusCode).toBe(202);
    const stream = await ask('GET', session, undefined, server.url);
    expect(String((await once(stream, 'data'))[0])).toContain('notifications/tools/list_changed');
    const called = await post({ id: 'b', method: 'tools/call', params: { name: 't', _meta: { progressToken: 'p' } } }, session);
    expect(called.headers['content-type']).toBe('text/event-stream');
    const text = (await bytesOf(called)).toString();
    expect(text.indexOf('"progressToken":"p"')).toBeGreaterThan(-1);
    expect(text.indexOf('"id":"b"')).toBeGreaterThan(text.indexOf('"progressToken":"p"'));
    expect((await post({ id: 'c', method: 'nope' }, session)).statusCode).toBe(200);
    expect((await post({ id: 'c', method: 'ping' }, { 'mcp-session-id': 'no' })).statusCode).toBe(404);
    expect((await post({ id: 'c', method: 'ping' })).statusCode).toBe(400);
    expect((await ask('PUT', session, undefined, server.url)).statusCode).toBe(405);
    expect((await ask('DELETE', session, undefined, server.url)).statusCode).toBe(200);
    expect(server.complaints()).toEqual(complaints);
    expect(complaints).toEqual([expect.stringContaining('not in the trace: nope')]);
    server.close();
  });
});

function web(exchange: number, session?: string): object {
  return { carrier: 'streamable-http', ...(session === undefined ? {} : { session }), http: { method: 'POST', exchange } };
}

describe('a trace of a fixture over HTTP', () => {
  it('is one life a session, though the session is told before its first answer', async () => {
    const { records, c2s, s2c, process: event } = recordsOf();
    event('start', { carrier: 'streamable-http' });
    for (const session of ['a', 'b']) {
      const first = records.length;
      c2s({ jsonrpc: '2.0', id: 0, method: 'initialize' }, web(first));
      event('session', { carrier: 'streamable-http', session });
      s2c({ jsonrpc: '2.0', id: 0, result: { session } }, web(first, session));
      c2s({ jsonrpc: '2.0', id: 1, method: 'x' }, web(first + 1, session));
      s2c({ jsonrpc: '2.0', id: 1, result: { session } }, web(first + 1, session));
    }
    const { lives, stateless } = await loadConversations(folder.trace('sessions.jsonl', records), undefined, () => undefined);
    expect(stateless).toBe(false);
    expect(lives.map(({ turns }) => turns.map(({ method, deeds }) => [method, ...deeds.map((deed) => (deed.kind === 'answer' ? deed.message : deed.kind))]))).toEqual(
      ['a', 'b'].map((session) => [[''], ['initialize', { jsonrpc: '2.0', id: 0, result: { session } }], ['x', { jsonrpc: '2.0', id: 1, result: { session } }]]),
    );
  });
});

describe('recording through a proxy of the platform', () => {
  it('reaches a server that only the proxy knows', async () => {
    const asked: string[] = [];
    const platform = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(Number(target.port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      for (const side of [socket, upstream]) side.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(platform, 'listening');
    handler = (request, response) => void response.end(`seen as ${request.headers.host}`);
    const bound = platform.address();
    vi.stubEnv('http_proxy', `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`);
    const recorder = await recordHttp({ target: new URL('http://only.the.proxy:81/mcp'), port: 0, warn: (text) => void warnings.push(text), recorder: createRecorder({ server: 'web', carrier: 'streamable-http', pid: 1 }, []) });
    expect((await bytesOf(await ask('POST', {}, Buffer.from('{}'), recorder.url))).toString()).toBe('seen as only.the.proxy:81');
    expect(asked).toEqual(['only.the.proxy:81']);
    await recorder.close();
    platform.close();
    vi.unstubAllEnvs();
  });
});
