import { describe, expect, it } from 'vitest';
import { loadConversations } from '../../src/trace/conversation/load.ts';
import { fits } from '../../src/trace/conversation/canonical.ts';
import { splice } from '../../src/trace/conversation/splice.ts';
import { createReplayer } from '../../src/proxy/replay/replayer.ts';
import { BIN } from '../client.ts';
import { recordsOf, temporaryFolder } from '../trace/records.ts';
import { spawnSync } from 'node:child_process';

const folder = temporaryFolder();

function run(...args: string[]) {
  return spawnSync(process.execPath, [BIN, 'replay', ...args], { encoding: 'utf8', input: '' });
}

async function load(path: string) {
  return loadConversations(path, undefined, (error) => {
    throw error;
  });
}

/** Replays a trace within this process; gives what was sent and said, in order. */
async function replay(records: readonly unknown[], incarnation = 1): Promise<{ sent: unknown[]; said: string[]; ended: unknown[]; say(message: unknown): Promise<void> }> {
  const conversations = await load(folder.trace(`t-${Math.random()}.jsonl`, records));
  const sent: unknown[] = [];
  const said: string[] = [];
  const ended: unknown[] = [];
  const replayer = createReplayer<undefined>(conversations, incarnation, {
    send: (text) => void sent.push(JSON.parse(text)),
    raw: (text) => void sent.push(text),
    stderr: (text) => void said.push(text),
    end: (how) => void ended.push(how),
    complain: (text) => void said.push(text),
  });
  replayer.start(undefined);
  return {
    sent, said, ended,
    async say(message) {
      replayer.message(typeof message === 'string' ? { ok: false } : { ok: true, value: message }, undefined);
      await replayer.idle();
    },
  };
}

const call = (id: unknown, args: object, name = 't'): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

describe('replaying a trace', () => {
  it('matches by method and params, not by id, order of members or progress token; repeats in recorded order, then the last', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s(call(1, { a: 1, b: 2 }));
    s2c('{"jsonrpc":"2.0","result":{"n":12345678901234567890,"first":true},"id":1}');
    c2s(call(2, { b: 2, a: 1 }));
    s2c({ jsonrpc: '2.0', id: 2, result: { second: true } });
    const server = await replay(records);
    await server.say({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { arguments: { b: 2, a: 1 }, name: 't', _meta: { progressToken: 9 } } });
    await server.say(call('y', { a: 1, b: 2 }));
    await server.say(call('z', { a: 1, b: 2 }));
    expect(server.sent).toMatchObject([{ id: 'x', result: { first: true } }, { id: 'y', result: { second: true } }, { id: 'z', result: { second: true } }]);
    expect(server.said).toEqual([]);
  });

  it('sends at the same place what the server sent of itself, with the live progress token, and waits for the client where it did', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s({ jsonrpc: '2.0', method: 'notifications/initialized' });
    s2c({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    c2s({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 't', _meta: { progressToken: 5 } } });
    s2c({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 5, progress: 1 } });
    s2c({ jsonrpc: '2.0', id: 0, method: 'sampling/createMessage', params: {} });
    c2s({ jsonrpc: '2.0', id: 0, result: { text: 'recorded' } });
    s2c({ jsonrpc: '2.0', id: 5, result: { done: true } });
    s2c({ jsonrpc: '2.0', method: 'notifications/message', params: { after: true } });
    const server = await replay(records);
    await server.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await server.say({ jsonrpc: '2.0', id: 77, method: 'tools/call', params: { name: 't', _meta: { progressToken: 'live' } } });
    expect(server.sent).toMatchObject([
      { method: 'notifications/tools/list_changed' }, { method: 'notifications/progress', params: { progressToken: 'live' } }, { id: 0, method: 'sampling/createMessage' },
    ]);
    await server.say({ jsonrpc: '2.0', id: 0, result: {} });
    expect(server.sent.slice(3)).toMatchObject([{ id: 77, result: { done: true } }, { method: 'notifications/message' }]);
  });

  it('says what the trace cannot answer, with the nearest request that it can', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s(call(1, { a: 1 }));
    s2c({ jsonrpc: '2.0', id: 1, result: {} });
    c2s(call(2, { b: 1 }, 'hangs'));
    const server = await replay(records);
    await server.say(call(1, { a: 2 }));
    await server.say({ jsonrpc: '2.0', id: 2, method: 'tools/cal' });
    await server.say({ jsonrpc: '2.0', id: 3, method: 'ping' });
    await server.say(call(4, { b: 1 }, 'hangs'));
    await server.say('no json');
    await server.say([]);
    await server.say('[');
    expect(server.sent).toMatchObject([
      { id: 1, error: { code: -32602, message: expect.stringContaining('nearest: tools/call t {"a":1} (line 1 of the trace)') } },
      { id: 2, error: { code: -32601, message: expect.stringContaining('tools/cal (not in the trace); nearest: tools/call') } },
      { id: 3, result: {} },
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
    ]);
    expect(server.said).toEqual([
      expect.stringContaining('not in the trace: tools/call t {"a":2}'), expect.stringContaining('not in the trace: tools/cal'), 'tools/call hangs {"b":1}: never answered in the trace (line 3), nor now',
    ]);
  });

  it('answers with an error, not with silence, what the trace kept only in part', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s(call(1, {}));
    s2c('{"jsonrpc":"2.0","id":1,"result":{"te', { bytes: 9_000_000 });
    const server = await replay(records);
    await server.say(call('q', {}));
    expect(server.sent).toMatchObject([{ id: 'q', error: { code: -32603, message: expect.stringContaining('9000000 bytes') } }]);
  });

  it('ends as the process did, and replays the next process for the next incarnation', async () => {
    const one = recordsOf('s', 1);
    one.c2s(call(1, {}));
    one.process('stderr', { text: 'out of memory\n' });
    one.process('exit', { code: 137 });
    const two = recordsOf('s', 2);
    two.c2s(call(1, {}));
    two.s2c({ jsonrpc: '2.0', id: 1, result: { second: true } });
    two.process('note', { signal: 'SIGTERM', text: 'the client sent SIGTERM' });
    two.process('exit', { signal: 'SIGTERM' });
    const records = [...one.records, ...two.records];
    const first = await replay(records);
    await first.say(call(8, {}));
    expect([first.sent, first.said, first.ended]).toEqual([[], ['out of memory\n'], [expect.objectContaining({ code: 137 })]]);
    for (const incarnation of [2, 3]) {
      const next = await replay(records, incarnation);
      await next.say(call(8, {}));
      expect([next.sent, next.ended]).toEqual([[{ jsonrpc: '2.0', id: 8, result: { second: true } }], []]);
    }
  });

  it('takes a placeholder of a scrubbed trace for any text', () => {
    expect(fits({ key: '[scrubbed-key-1]', url: 'https://[scrubbed-url-2]@x/[scrubbed-key-1]?q' }, { url: 'https://bob@x/abc?q', key: 'k' })).toBe(true);
    expect(fits({ url: 'a[scrubbed-url-2]b' }, { url: 'ab' })).toBe(true);
    expect(fits({ url: 'a[scrubbed-url-2]a' }, { url: 'a' })).toBe(false);
    expect(fits({ key: '[scrubbed-key-1]' }, { key: 1 })).toBe(false);
    expect(fits({ key: '[scrubbed-key-1]' }, { key: 'a', more: 1 })).toBe(false);
  });

  it('replaces an id and leaves every other byte as it was', () => {
    expect(splice(' {"id" : 1 , "result":{"id":2,"a":[{"id":3}],"n":1.0}}', ['id'], '"x"')).toBe(' {"id" : "x" , "result":{"id":2,"a":[{"id":3}],"n":1.0}}');
    expect(splice('{"params":{"progressToken":"a\\"b"},"progressToken":1}', ['params', 'progressToken'], '7')).toBe('{"params":{"progressToken":7},"progressToken":1}');
    expect(splice('{"result":{}}', ['id'], '1')).toBe('{"result":{}}');
    expect(splice('['.repeat(100_000), ['id'], '1')).toHaveLength(100_000);
  });

  it('refuses a trace it cannot use with place and fix', async () => {
    const { records } = recordsOf('a');
    const { records: others, c2s } = recordsOf('b');
    c2s(call(1, {}));
    records.push(...others, ...others.map((each) => ({ ...each, server: 'a' })));
    const path = folder.trace('two.jsonl', records);
    expect(run(path)).toMatchObject({ status: 2, stderr: expect.stringContaining('records of 2 servers; choose one with --server: b, a') });
    expect(run(path, '--server', 'c').stderr).toContain('no records of a server c');
    expect(run(folder.trace('empty.jsonl', [])).stderr).toContain('holds no records');
    await expect(loadConversations(path, 'b', () => undefined, 10)).rejects.toThrow('come to more than 10 characters');
  });
});
