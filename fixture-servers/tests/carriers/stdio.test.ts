import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../src/scenario/schema.ts';
import { readTrace } from '../../src/trace/reader.ts';
import { BIN, startClient, type Client } from '../client.ts';

const folder = mkdtempSync(join(tmpdir(), 'fixture-stdio-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Serves a scenario by hand, without a control channel. */
function serve(scenario: Omit<ScenarioInput, 'scenario'>, ...flags: string[]): Client {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, JSON.stringify({ scenario: 1, ...scenario }));
  return startClient(process.execPath, [BIN, 'serve', path, ...flags]);
}

/** The bytes of a text, one character each. */
const utf8 = (value: string): string => Buffer.from(value).toString('latin1');

describe('a scenario on stdio', () => {
  it('serves tools and ends with the input', async () => {
    const client = serve({ tools: [{ name: 'a' }] });
    await client.handshake();
    expect((await client.ask('tools/list')).result?.tools).toEqual([{ name: 'a', inputSchema: { type: 'object' } }]);
    expect((await client.ask('tools/call', { name: 'a', arguments: { x: 'é' } })).result?.content?.[0]?.text).toBe('{"tool":"a","arguments":{"x":"é"}}');
    client.process.stdin.end();
    expect(await client.ended).toEqual({ code: 0, signal: null });
    expect(client.stderr()).toBe('');
  });

  it('answers a line that is no JSON, and goes on', async () => {
    const client = serve({});
    client.process.stdin.write('{"half":\n[1]\n');
    await client.ask('ping');
    expect(client.messages.slice(0, 2)).toMatchObject([{ id: null, error: { code: -32700 } }, { id: null, error: { code: -32600 } }]);
    client.process.kill();
    await client.ended;
  });

  it.each([0, 1, 7, 255])('ends with code %i in a call, everything before it sent', async (code) => {
    const big = 'x'.repeat(1_000_000);
    const client = serve({ rules: [{ when: { method: 'tools/call' }, do: [{ reply: { result: { big } } }, { stderr: { text: 'bye\n' } }, { exit: code }] }] });
    const answer = client.ask('tools/call', { name: 'x' });
    expect(await client.ended).toEqual({ code, signal: null });
    await expect(answer).resolves.toMatchObject({ result: { big } });
    expect(client.stderr()).toBe('bye\n');
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGINT', 'SIGHUP'] as const)('ends by %s, everything before it sent', async (signal) => {
    const client = serve({ rules: [{ when: { method: 'ping' }, do: [{ ignoreTerm: true }, { default: {} }, { kill: signal }] }] });
    const answer = client.ask('ping');
    expect(await client.ended).toEqual({ code: null, signal });
    await expect(answer).resolves.toMatchObject({ result: {} });
  });

  it('sends the bytes it is told, in pieces and with marks', async () => {
    const client = serve({
      rules: [
        { when: { method: 'a' }, do: [{ reply: { result: 'é\u2028🦀', frame: { everyByte: true } } }] },
        { when: { method: 'b' }, do: [{ reply: { result: '\u2028', frame: { bom: true, crlf: true, rawSeparators: true } } }] },
        { when: { method: 'c' }, do: [{ raw: { text: '{"half":' } }, { raw: { base64: Buffer.from([0xff, 0x0a]).toString('base64') } }, { default: {} }] },
        { when: { method: 'd' }, do: [{ notify: { method: 'n', frame: { times: 1000 } } }, { reply: { result: 1, frame: { splitAt: [5, 10] } } }] },
      ],
    });
    for (const method of ['a', 'b', 'c', 'd']) await client.ask(method);
    client.process.stdin.end();
    await client.ended;
    const text = client.stdout().toString('latin1');
    expect(text).toContain(utf8('{"jsonrpc":"2.0","id":1,"result":"é\\u2028🦀"}\n'));
    expect(text).toContain(utf8('\uFEFF{"jsonrpc":"2.0","id":2,"result":"\u2028"}\r\n'));
    expect(text).toContain('{"half":\xff\n{"jsonrpc":"2.0","id":3,');
    expect(client.messages.filter(({ method }) => method === 'n')).toHaveLength(1000);
  });

  it('hangs: answers nothing more and outlives the end of its input', async () => {
    const client = serve({ rules: [{ when: { method: 'x' }, do: [{ default: {} }, { hang: true }] }] });
    await client.ask('x');
    client.send({ id: 50, method: 'ping' });
    client.process.stdin.end();
    // A second process that does not hang has ended by now; this one has not.
    const other = serve({});
    other.process.stdin.end();
    await other.ended;
    expect(client.process.exitCode).toBeNull();
    client.process.kill('SIGTERM');
    expect(await client.ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(client.messages).toHaveLength(1);
  });

  it('outlives SIGTERM if it is told to, and notes each one once', async () => {
    const trace = join(folder, 'stubborn.jsonl');
    const client = serve({ rules: [{ when: { method: 'x' }, do: [{ ignoreTerm: true }, { ignoreTerm: true }, { default: {} }] }] }, '--trace', trace);
    await client.ask('x');
    client.process.kill('SIGTERM');
    const notes = (): unknown[] => {
      const text = readFileSync(trace, 'utf8');
      return readTrace(text.slice(0, text.lastIndexOf('\n') + 1), trace).filter((record) => record.kind === 'process' && record.event === 'note');
    };
    // Signals have no order among messages.
    while (notes().length === 0) await client.ask('ping');
    client.process.kill('SIGKILL');
    expect((await client.ended).signal).toBe('SIGKILL');
    expect(notes()).toMatchObject([{ event: 'note', signal: 'SIGTERM', text: 'the client sent SIGTERM' }]);
  });

  it('counts incarnations across processes in a run folder', async () => {
    const run = join(folder, 'deep', 'run');
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, 'notes'), 'not a process');
    const rules: ScenarioInput['rules'] = [{ when: { method: 'tools/list', incarnation: 1 }, do: [{ reply: { result: 'first' } }] }];
    const answers: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      const client = serve({ tools: [{ name: 'healthy' }], rules }, '--run', run);
      // A process that is asked nothing does not count.
      const idle = serve({ rules }, '--run', run);
      idle.process.stdin.end();
      await idle.ended;
      await client.handshake();
      answers.push((await client.ask('tools/list')).result);
      client.process.stdin.end();
      await client.ended;
    }
    expect(answers).toMatchObject(['first', { tools: [{ name: 'healthy' }] }, { tools: [{ name: 'healthy' }] }]);
  });

  it('writes a trace of what crossed the wire and of each fault', async () => {
    const trace = join(folder, 'trace.jsonl');
    const client = serve({ rules: [{ id: 'r', when: { method: 'ping' }, do: [{ default: {} }, { exit: 4 }] }] }, '--trace', trace, '--server', 'named');
    await client.handshake();
    client.send({ id: 9, method: 'ping' });
    await client.ended;
    const records = readTrace(readFileSync(trace, 'utf8'), trace);
    expect(records.every((record) => record.server === 'named' && record.pid === client.process.pid)).toBe(true);
    expect(records.map((record) => (record.kind === 'frame' ? record.direction : record.kind === 'fault' ? record.action : record.kind === 'process' ? record.event : record.hold))).toEqual([
      'start', 'client-to-server', 'incarnation', 'server-to-client', 'client-to-server', 'client-to-server',
      'default', 'server-to-client', 'exit', 'exit',
    ]);
    expect(records.at(-1)).toMatchObject({ kind: 'process', event: 'exit', code: 4, incarnation: 1 });
  });

  it('survives a client that closes its end of the pipe', async () => {
    const client = serve({ rules: [{ when: { method: 'flood' }, do: [{ notify: { method: 'n', frame: { times: 2000 } } }] }] });
    await client.handshake();
    client.process.stdout.destroy();
    client.send({ id: 5, method: 'flood' });
    client.process.stdin.end();
    expect(await client.ended).toEqual({ code: 0, signal: null });
    expect(client.stderr()).toBe('');
  });
});
