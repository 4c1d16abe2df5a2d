import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { parseScenario } from '../../src/scenario/parse.ts';
import { fromConversations } from '../../src/trace/as-scenario/from-conversations.ts';
import { loadConversations } from '../../src/trace/conversation/load.ts';
import { BIN, startClient, type Client } from '../client.ts';
import { recordsOf, temporaryFolder } from '../trace/records.ts';

const folder = temporaryFolder();

function deep(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

const SCENARIO = `
scenario: 1
name: odd
serverInfo: { name: odd, version: '2' }
tools:
  - { name: one, description: first, annotations: { readOnlyHint: true } }
  - { name: two, result: { content: [{ type: text, text: steady }] } }
  - { name: three }
  - { raw: { name: four, inputSchema: { type: object }, unheardOf: true } }
  - { name: five, error: { code: -32000, message: broken } }
toolLists: { later: [{ name: six }, { name: one }] }
pagination: { pageSize: 2, cursor: 'at-{n}' }
rules:
  - { when: { method: notifications/initialized }, do: [{ notify: { method: notifications/message, params: { level: info } } }] }
  - { when: { method: tools/call, tool: three, nth: 1 }, do: [{ reply: { result: { content: [{ type: text, text: first }] } } }] }
  - { when: { method: tools/call, tool: three, nth: 2, incarnation: 1 }, do: [{ stderr: { text: "dying\\n" } }, { exit: 9 }] }
  - { when: { method: tools/call, tool: three }, do: [{ setTools: { list: later } }, { notify: { method: notifications/tools/list_changed } }, { reply: { result: { content: [] } } }] }
  - { when: { method: resources/list }, do: [{ reply: { result: { resources: [] } } }] }
  - { when: { method: prompts/list }, do: [{ raw: { text: "noise\\n" } }, { drop: true }] }
`;

const WAIT = { timeout: 20_000, interval: 5 };

/** The same conversation with any server: two processes, of which the first dies. */
async function converse(start: () => Client): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let life = 1; life <= 2; life += 1) {
    const client = start();
    const ask = async (method: string, params?: object): Promise<{ nextCursor?: string | undefined }> => {
      const answer = await client.ask(method, params);
      seen.push(answer.result ?? answer.error);
      return { nextCursor: answer.result?.nextCursor };
    };
    const list = async (): Promise<void> => {
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        ({ nextCursor: cursor } = await ask('tools/list', cursor === undefined ? {} : { cursor }));
      }
    };
    await client.handshake();
    // What a server sends of itself belongs to what came before it: nothing else is said in between.
    await vi.waitFor(() => expect(client.messages.some(({ method }) => method === 'notifications/message')).toBe(true), WAIT);
    seen.push((await client.ask('ping')).result);
    await list();
    for (const [name, args] of [['one', { x: 1 }], ['one', {}], ['two', {}], ['five', { y: [1] }], ['nothing', {}]] as const) await ask('tools/call', { name, arguments: args });
    await ask('resources/list');
    client.send({ id: 'p', method: 'prompts/list' });
    await vi.waitFor(() => expect(client.stdout().toString()).toContain('noise\n'), WAIT);
    await ask('completion/complete', { argument: 'a' });
    await ask('tools/call', { name: 'three', arguments: { z: 1 } });
    const last = client.ask('tools/call', { name: 'three', arguments: { z: 1 } });
    if (life === 2) {
      seen.push((await last).result);
      await list();
      client.process.stdin.end();
    } else await last.catch(() => seen.push('dead'));
    seen.push((await client.ended).code, client.stderr().includes('dying'), client.messages.filter(({ method }) => method !== undefined).length, client.stdout().toString().includes('noise'));
  }
  return seen;
}

describe('a server that was recorded', () => {
  it('is the same again when its trace is replayed, and when its trace becomes a scenario', async () => {
    writeFileSync(folder.path('odd.yaml'), SCENARIO);
    const path = folder.path('odd.jsonl');
    const serve = (source: string, name: string): string[] => [BIN, 'serve', source, '--run', folder.path(name)];
    const recorded = await converse(() => startClient(process.execPath, [BIN, 'record', '--out', path, '--name', 'odd', '--', process.execPath, ...serve(folder.path('odd.yaml'), 'run-1')]));
    expect(recorded.filter((each) => each === 'dead')).toHaveLength(1);
    const replayed = await converse(() => startClient(process.execPath, [BIN, 'replay', path, '--run', folder.path('run-2')]));
    expect(replayed).toEqual(recorded);
    const made = folder.path('made.yaml');
    expect(spawnSync(process.execPath, [BIN, 'from-trace', path, '-o', made], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const text = readFileSync(made, 'utf8');
    expect(parseScenario(text).pagination).toMatchObject({ pageSize: 2, cursor: 'at-{n}' });
    // The tools with one answer need no rule, and what the server does anyway neither.
    expect(parseScenario(text).rules.map(({ when }) => `${when.method} ${when.tool ?? ''}`.trim()).filter((each, index, all) => all.indexOf(each) === index).sort()).toEqual([
      'notifications/initialized', 'prompts/list', 'resources/list', 'tools/call three',
    ]);
    expect(await converse(() => startClient(process.execPath, serve(made, 'run-3')))).toEqual(recorded);
    const evidence = readFileSync(path, 'utf8');
    expect(spawnSync(process.execPath, [BIN, 'from-trace', path, '-o', path], { encoding: 'utf8' })).toMatchObject({ status: 2, stderr: expect.stringContaining('--out is the trace itself') });
    expect(readFileSync(path, 'utf8')).toBe(evidence);
  });

  it('makes a scenario of hostile traffic, or says why not', async () => {
    const { records, c2s, s2c } = recordsOf();
    c2s({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    s2c('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"__proto__","inputSchema":{"__proto__":{"a":1}}},5,{"name":7},{"name":"r","inputSchema":{},"result":"x"}],"extra":"\\u2028\\ud800"}}');
    c2s({ jsonrpc: '2.0', id: 2, method: 'x', params: { $any: true } });
    s2c({ jsonrpc: '2.0', id: 2, error: { code: 'no number', message: 5 } });
    c2s({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: [1] });
    s2c({ jsonrpc: '2.0', id: 4, result: 1 });
    const { scenario } = fromConversations(await loadConversations(folder.trace('hostile.jsonl', records), undefined, () => undefined));
    expect(scenario.rules?.length).toBeGreaterThan(2);
    const path = folder.trace('deep.jsonl', [...records, ...recordsOf().records]);
    writeFileSync(path, `${JSON.stringify({ ...records[0], message: undefined, raw: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'm', params: { deep: deep(300) } }) })}\n`);
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'from-trace', path], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('nests deeper than 256 levels');
  });
});

describe('a trace from which secrets were removed', () => {
  it('makes rules that fit whatever a client has where a placeholder stands, and narrower rules before them', async () => {
    const { records, c2s, s2c } = recordsOf();
    const calls = [[{ key: '[scrubbed-key-1]', q: 'a' }, 'first'], [{ key: 'is [scrubbed-key-2]!', q: 'a' }, 'second'], [{ key: 'plain', q: 'a' }, 'third'], [{ '[scrubbed-key-3]': 1, list: ['[scrubbed-key-1]'] }, 'fourth']] as const;
    calls.forEach(([args, text], id) => {
      c2s({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', arguments: args } });
      s2c({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    });
    const { scenario } = fromConversations(await loadConversations(folder.trace('scrubbed.jsonl', records), undefined, () => undefined));
    expect(scenario.rules?.map(({ when }) => [when.params, when.nth])).toEqual([
      [{ arguments: { key: 'plain', q: 'a' } }, undefined],
      [{ arguments: { key: { $any: true }, q: 'a' } }, 1],
      [{ arguments: { key: { $any: true }, q: 'a' } }, { from: 2 }],
      [{ arguments: { list: [{ $any: true }] } }, undefined],
    ]);
  });
});

describe('tools from a trace', () => {
  it('stand where a scenario says `fromTrace`, when the trace is given beside the file', async () => {
    const { records, c2s, s2c } = recordsOf();
    for (const [id, name] of [[1, 'old'], [2, 'new']] as const) {
      c2s({ jsonrpc: '2.0', id, method: 'tools/list' });
      s2c({ jsonrpc: '2.0', id, result: { tools: [{ name, inputSchema: { type: 'object' } }, { name: 'odd', inputSchema: {}, extra: 1 }] } });
    }
    const trace = folder.trace('tools.jsonl', records);
    const source = folder.path('traced.yaml');
    writeFileSync(source, 'scenario: 1\ntools: [{ name: first }, { fromTrace: true }, { name: last }]\n');
    const client = startClient(process.execPath, [BIN, 'serve', source, '--tools-from', trace]);
    expect((await client.ask('tools/list')).result?.tools?.map(({ name }) => name)).toEqual(['first', 'new', 'odd', 'last']);
    client.process.stdin.end();
    const lint = (...args: string[]) => spawnSync(process.execPath, [BIN, 'lint', source, ...args], { encoding: 'utf8' });
    expect(lint('--tools-from', trace)).toMatchObject({ status: 0 });
    expect(lint()).toMatchObject({ status: 1, stdout: expect.stringContaining('traced.yaml:2:28: tools[1]: tools `fromTrace` come from a trace beside the file; give it with --tools-from <trace>') });
    expect(lint('--tools-from', folder.trace('no-tools.jsonl', records.slice(0, 1)))).toMatchObject({ status: 2, stderr: expect.stringContaining('holds no complete tools/list') });
  });
});
