/** A session over stdio at work. */
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../src/host-services.ts';
import { failureOf, LIMITS, openScripted } from './helpers/scripted-session.ts';

describe('a session', () => {
  it('introduces itself and advertises nothing', async () => {
    const { session, received } = await openScripted();
    expect(session.server).toMatchObject({ protocolVersion: '2025-11-25', name: 'scripted', version: '1.0.0', capabilities: { tools: {} } });
    const [initialize, initialized] = await received();
    expect(initialize).toMatchObject({
      method: 'initialize',
      params: { capabilities: {}, clientInfo: { name: 'cordis-plugin-mcp-bridge' }, protocolVersion: '2025-11-25' },
    });
    expect(initialized).toMatchObject({ method: 'notifications/initialized' });
  });

  it('passes pages on as they came, odd tools and key order included', async () => {
    const tools = '[{"name":1},null,{"zz":1,"name":"a","inputSchema":"odd","aa":{"__proto__":1}}]';
    const { session } = await openScripted([`--list-result={"nextCursor":"c","tools":${tools},"_meta":7}`]);
    const page = await session.listToolsPage(undefined, LIMITS);
    expect(JSON.stringify(page.tools)).toBe(tools);
    expect(page.nextCursor).toBe('c');
  });

  it('sends a cursor when it has one, the empty one included, and no params otherwise', async () => {
    const { session, received } = await openScripted();
    await session.listToolsPage(undefined, LIMITS);
    await session.listToolsPage('', LIMITS);
    const lists = (await received()).filter(({ method }) => method === 'tools/list');
    expect(lists.map(({ params }) => params)).toEqual([undefined, { cursor: '' }]);
  });

  it.each(['{}', '{"tools":{}}', '[]', 'null', '{"tools":[],"nextCursor":3}'])('refuses the page %s', async (page) => {
    const { session } = await openScripted([`--list-result=${page}`]);
    expect(await failureOf(session.listToolsPage(undefined, LIMITS))).toMatchObject({ code: 'discovery-failed' });
  });

  it('calls with the name and the arguments as given, never using an id twice', async () => {
    const { ask, received } = await openScripted();
    const odd: JsonObject = JSON.parse('{"b":1,"a":{"__proto__":[2]}}');
    expect(JSON.stringify(await ask('echo', odd))).toBe('{"b":1,"a":{"__proto__":[2]}}');
    await failureOf(ask('no.such/tool é'));
    const calls = (await received()).filter(({ method }) => method === 'tools/call');
    expect(calls[1]?.params?.['name']).toBe('no.such/tool é');
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  it.each(['{"jsonrpc":"2.0","id":%ID%,"result":{"_meta":5,"content":[{"z":1}]}}', '{"jsonrpc":"2.0","id":"%ID%","result":{"x":1},"more":true}'])(
    'delivers the answer %s, which a strict reader would drop',
    async (text) => {
      const { session } = await openScripted();
      const result = await session.callTool('raw', { text: `${text}\n` }, LIMITS);
      const whole: { result: unknown } = JSON.parse(text.replaceAll('%ID%', '0'));
      expect(result).toEqual(whole.result);
    },
  );

  it.each(['null', '[]', '"text"', '7'])('fails a call that is answered with %s', async (result) => {
    const { session } = await openScripted();
    const text = `{"jsonrpc":"2.0","id":%ID%,"result":${result}}\n`;
    expect(await failureOf(session.callTool('raw', { text }, LIMITS))).toMatchObject({ code: 'result-invalid', executed: 'yes' });
  });

  it('gives answers to their own calls when they come in another order', async () => {
    const { session } = await openScripted();
    const hanging = session.callTool('hang', {}, LIMITS);
    expect(await session.callTool('echo', { n: 1 }, LIMITS)).toEqual({ structuredContent: { n: 1 } });
    await session.callTool('release', {}, LIMITS);
    expect(await hanging).toEqual({ late: true });
  });

  it('tells an error answer with its code, and whether the tool can have run', async () => {
    const { session } = await openScripted();
    const custom = await failureOf(session.callTool('fail', { code: -32001, message: 'no luck' }, LIMITS));
    expect(custom).toMatchObject({ code: 'rpc-error', rpcCode: -32001, executed: 'unknown' });
    expect(custom.message).toContain('server "scripted": tools/call "fail" was answered with error -32001: no luck');
    const unknown = await failureOf(session.callTool('fail', { code: -32602, message: 'x'.repeat(5_000) }, LIMITS));
    expect(unknown).toMatchObject({ rpcCode: -32602, executed: 'no' });
    expect(unknown.message.length).toBeLessThan(700);
  });

  it.each([
    ['"license expired"', 'was answered with error without a code: license expired', undefined],
    ['{"code":"E1","message":{"text":"no"}}', 'was answered with error without a code: no message', undefined],
    ['{"code":7}', 'was answered with error 7: no message', 7],
    ['5', 'was answered with error without a code: no message', undefined],
  ])('makes the best of the odd error %s', async (error, words, rpcCode) => {
    const { session } = await openScripted();
    const failure = await failureOf(session.callTool('raw', { text: `{"jsonrpc":"2.0","id":%ID%,"error":${error}}\n` }, LIMITS));
    expect(failure).toMatchObject({ code: 'rpc-error', executed: 'unknown', rpcCode });
    expect(failure.message).toBe(`server "scripted": tools/call "raw" ${words}`);
  });

  it('takes a result beside an error that is null for what it is', async () => {
    const { session } = await openScripted();
    expect(await session.callTool('raw', { text: '{"jsonrpc":"2.0","id":%ID%,"result":{"content":[]},"error":null}\n' }, LIMITS)).toEqual({ content: [] });
    const failure = await failureOf(session.callTool('raw', { text: '{"jsonrpc":"2.0","id":%ID%,"result":null,"error":null}\n' }, LIMITS));
    expect(failure).toMatchObject({ code: 'rpc-error', executed: 'unknown' });
  });

  it('quotes the name of a tool only as far as it helps (B15)', async () => {
    const { session } = await openScripted();
    const failure = await failureOf(session.callTool('n'.repeat(10_000), {}, LIMITS));
    expect(failure.message).toBe(`server "scripted": tools/call "${'n'.repeat(99)}…" was answered with error -32601: Method not found`);
  });

  it('says that arguments cannot be written, sends nothing and goes on', async () => {
    const { session, ask } = await openScripted();
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const failure = await failureOf(session.callTool('echo', deep, LIMITS));
    expect(failure).toMatchObject({ code: 'arguments-invalid', executed: 'no' });
    expect(failure.message).toMatch(/^server "scripted": tools\/call "echo" failed: its arguments cannot be written as JSON \(/);
    expect(await ask('echo', { n: 1 })).toEqual({ n: 1 });
  });

  it('carries a message of 2 MB in both directions', async () => {
    const { session, ask } = await openScripted();
    const text = 'é'.repeat(1_000_000);
    expect((await ask('echo', { text }))['text']).toBe(text);
    expect(JSON.stringify(await session.callTool('big', { bytes: 2_000_000 }, LIMITS)).length).toBeGreaterThan(2_000_000);
  });
});

describe('what a server sends by itself', () => {
  it('hears of list changes, one by one', async () => {
    const { ask, listChanges } = await openScripted();
    await ask('notify', { method: 'notifications/tools/list_changed', times: 3 });
    expect(listChanges()).toBe(3);
  });

  it('hears of a list change that comes before the handshake is done', async () => {
    const notice = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    expect((await openScripted([`--noise=${notice}`])).listChanges()).toBe(1);
  });

  it('ignores other notifications', async () => {
    const { ask, listChanges, diagnostics } = await openScripted();
    for (const method of ['notifications/progress', 'notifications/message', 'notifications/resources/list_changed', 'odd']) {
      await ask('notify', { method });
    }
    expect(listChanges()).toBe(0);
    expect(diagnostics).toEqual([]);
  });

  it('answers ping, and every other request with "method not found"', async () => {
    const { ask } = await openScripted();
    expect(await ask('ask', { method: 'ping' })).toMatchObject({ id: 'ask-1', result: {} });
    for (const method of ['sampling/createMessage', 'roots/list', 'elicitation/create', 'tasks/list', '__proto__']) {
      expect(await ask('ask', { method, params: 'odd' })).toMatchObject({ error: { code: -32601 } });
    }
  });

  it('answers a flood of requests', async () => {
    const { session, received } = await openScripted();
    await session.callTool('flood', { times: 500 }, LIMITS);
    await vi.waitFor(async () => expect((await received()).filter(({ id }) => String(id).startsWith('flood'))).toHaveLength(500));
  });
});
