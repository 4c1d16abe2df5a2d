/** What these tests have found, as it was after shrinking; each of it has been mended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOUND_HTTP, soundHttp, type HttpAnswer, type HttpScript } from './http-answers.ts';
import { startHttpPeer, type Peer } from './http-peer.ts';
import { openAnew, PATIENT } from './judge.ts';
import { soundAnswer, withId } from './mcp-texts.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';
import { heardOnStdio, heardOverHttp } from './transcripts.ts';

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

describe('on stdio', () => {
  it('a first message that is too long and has a byte order mark fails its request alone, in any chunks (B25)', async () => {
    const bytes = Buffer.from(`\ufeff{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(200)}"}\r\n{"jsonrpc":"2.0","id":8,"result":{}}\n`);
    const whole = await heardOnStdio(bytes, [], 200);
    expect(whole).toEqual([
      ['warn', expect.stringContaining('a message of 236 bytes')],
      expect.objectContaining({ id: 7, error: expect.anything() }),
      { jsonrpc: '2.0', id: 8, result: {} },
      'closed',
      'exit',
    ]);
    expect(await heardOnStdio(bytes, 'every byte', 200)).toEqual(whole);
  });

  it('a message without an end is told of once, in any chunks (B25)', async () => {
    const bytes = Buffer.from(`${'x'.repeat(500)}\n`);
    const whole = await heardOnStdio(bytes, [], 200);
    expect(whole).toEqual([expect.stringContaining('past 400 bytes, twice `maxMessageBytes`, without an end'), 'closed', 'protocol']);
    expect(await heardOnStdio(bytes, 'every byte', 200)).toEqual(whole);
  });
});

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

  it('an answer with a byte order mark is read whether or not its length is said (B25)', async () => {
    for (const saysLength of [true, false]) {
      odd('tools/call', { body: `\ufeff${soundAnswer('tools/call')}`, saysLength });
      const session = await open();
      expect(await session.callTool('echo', {}, { timeoutMs: 30_000 })).toEqual({ content: [{ type: 'text', text: 'hello' }] });
      await session.close();
    }
  });

  it('an event stream whose lines end with CR alone is read without waiting for what comes after it (B25)', async () => {
    odd('tools/call', { headers: { 'content-type': 'text/event-stream' }, body: `: x\rdata: ${soundAnswer('tools/call')}\r\r`, saysLength: false, end: 'open' });
    const session = await open();
    expect(await session.callTool('echo', {}, { timeoutMs: 30_000 })).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    await session.close();
  });

  it('an event whose id no header can carry makes no request that cannot be sent: the stream cannot be resumed (B10)', async () => {
    odd('tools/call', { headers: { 'content-type': 'text/event-stream' }, body: 'id: \u0001\ndata:\n\n', saysLength: false });
    const session = await open();
    await expect(session.callTool('echo', {}, { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: 'http-error', executed: 'unknown', message: expect.stringContaining('ended before the answer came, and it cannot be resumed'),
    });
    await session.close();
  });

  it('an event stream with CR LF and a byte order mark is the same in single bytes (B25)', async () => {
    const answer = { ...soundHttp('tools/call', true), body: `\ufeffid: 1\r\ndata: ${soundAnswer('tools/call')}\r\n\r\ndata: no JSON\r\n\r\n` };
    const whole = await heardOverHttp(answer, []);
    expect(whole).toMatchObject({ end: { content: [{ type: 'text', text: 'hello' }] }, heard: [expect.anything(), ['debug', expect.stringContaining('no JSON')]] });
    expect(await heardOverHttp(answer, 'every byte')).toEqual(whole);
  });

  it('an event of the longest length is taken, and one character more is not, in any chunks (B01, B25)', async () => {
    const sound = soundAnswer('tools/call');
    const limit = 600;
    // On the wire the id is one digit.
    const fill = ' '.repeat(limit - withId(sound, 1).length);
    const stream = (data: string): HttpAnswer => ({ ...soundHttp('tools/call', true), body: `data: ${data}\n\ndata: ${sound}\n\n` });
    for (const cuts of [[], 'every byte'] as const) {
      expect(await heardOverHttp(stream(`${sound}${fill}`), cuts, limit)).toMatchObject({ end: { content: [{ text: 'hello' }] } });
      expect(await heardOverHttp(stream(`${sound}${fill} `), cuts, limit)).toMatchObject({ end: ['limit-exceeded', expect.stringContaining('(600)')] });
    }
  });

  it('an event that never ends is given up at twice the limit (B01)', async () => {
    const endless = { ...soundHttp('tools/call', true), body: `data: ${'x'.repeat(1_200)}` };
    expect(await heardOverHttp(endless, [], 600)).toMatchObject({ end: ['limit-exceeded', expect.stringContaining('(600)')] });
  });
});
