import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { anyBytes, anyCuts, cut } from './chunkings.ts';
import { fuzzRuns } from './fuzz-runs.ts';
import { anyHttpScript, SOUND_HTTP, type HttpScript } from './http-answers.ts';
import { startBytesPeer, startHttpPeer, type Peer } from './http-peer.ts';
import { expectHealthy, openAnew, PATIENT, useSession } from './judge.ts';
import { soundAnswer, withId } from './mcp-texts.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';

/** Runs on real sockets: each takes tens of milliseconds. */
const REAL = 0.2;

watchHost();

let server: Peer<HttpScript>;
let bytesServer: Peer<readonly Buffer[]>;

beforeAll(async () => {
  server = await startHttpPeer();
  bytesServer = await startBytesPeer();
});

afterAll(async () => {
  await server.stop();
  await bytesServer.stop();
});

async function survives(script: HttpScript): Promise<void> {
  server.script = script;
  await useSession(openAnew({ transport: 'streamable-http', url: server.url }));
  await nextIsServed();
  await expectQuietHost();
}

async function nextIsServed(): Promise<void> {
  server.script = SOUND_HTTP;
  await expectHealthy(openAnew({ transport: 'streamable-http', url: server.url }, {}, PATIENT));
}

const head = fc.tuple(
  fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.1 200', 'HTTP/1.0 200 OK', 'HTTP/1.1 100 Continue', 'HTTP/1.1 101 Switching Protocols', 'HTTP/1.1 000 x', 'HTTP/2 200', 'ICY 200 OK', 'HTTP/1.1 307 x'),
  fc.array(fc.constantFrom(
    'content-type: application/json', 'content-type: text/event-stream', 'content-length: 3', 'content-length: 99999999999999999999', 'content-length: -1', 'content-length: 5, 5', 'content-length:',
    'transfer-encoding: chunked', 'transfer-encoding: x', 'connection: upgrade', 'upgrade: x', 'trailer: x', 'location: /mcp', ': x', 'a\0b: c', 'mcp-session-id: \u0080', ' folded: x',
  ), { maxLength: 4 }),
  fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
).map(([status, fields, end]) => [status, ...fields, '', ''].join(end));
const chunk = fc.constantFrom('3\r\n{}\n\r\n', '0\r\n\r\n', 'ffffffffffffffff\r\n', '-1\r\n', 'data: 1\n\n', withId(soundAnswer('initialize'), 0));
const rawAnswer = fc.tuple(fc.oneof({ weight: 5, arbitrary: head }, { weight: 1, arbitrary: fc.constant('') }), fc.array(chunk, { maxLength: 3 }), anyBytes)
  .map(([text, chunks, bytes]) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(chunks.join('')), bytes]));

describe('a server over HTTP, whatever it answers', () => {
  it('is served, or fails with a clear error, and the next connection works (B01, B05, B10, B27)', async () => {
    await fc.assert(fc.asyncProperty(anyHttpScript, survives), fuzzRuns(60, REAL));
  });

  it('in bytes that are no HTTP fails with a clear error (B06, B27)', async () => {
    await fc.assert(fc.asyncProperty(rawAnswer, anyCuts, async (bytes, cuts) => {
      bytesServer.script = cut(bytes, cuts);
      await useSession(openAnew({ transport: 'streamable-http', url: bytesServer.url }));
      await expectQuietHost();
    }), fuzzRuns(60, REAL));
    await nextIsServed();
  });
});
