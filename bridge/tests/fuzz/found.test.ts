/** What these tests have found, as it was after shrinking; each of it has been mended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOUND_HTTP, soundHttp, type HttpAnswer, type HttpScript } from './http-answers.ts';
import { startHttpPeer, type Peer } from './http-peer.ts';
import { openAnew, PATIENT } from './judge.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';

watchHost();

let server: Peer<HttpScript>;

beforeAll(async () => {
  server = await startHttpPeer();
});

afterAll(() => server.stop());

const open = () => openAnew({ transport: 'streamable-http', url: server.url }, {}, PATIENT);

/** A server that is sound but for one answer. */
function odd(kind: string, answer: Partial<HttpAnswer>): void {
  server.script = { ...SOUND_HTTP, [kind]: { ...soundHttp(kind, false), ...answer } };
}

describe('over HTTP', () => {
  it('an answer that is encoded six times over and never ends fails, and ends no process (B27)', async () => {
    odd('tools/call', { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip, gzip, gzip, gzip, gzip' }, end: 'open', saysLength: false });
    const session = await open();
    await expect(session.callTool('echo', {}, { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: 'http-error', executed: 'unknown', message: expect.stringContaining('encoded 6 times over, more than 5 are not accepted'),
    });
    await session.close();
    await expectQuietHost();
  });
});
