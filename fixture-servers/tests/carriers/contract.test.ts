/** What a scenario means is the same on every carrier. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answered, ended, fired, held, received, sent, startController, type Controller } from 'mcp-fixture-server/control';
import type { ScenarioInput } from '../../src/scenario/schema.ts';
import { CARRIERS, serveOn, type Peer, type Setup } from './peers.ts';

let controller: Controller;
beforeAll(async () => {
  controller = await startController();
});
afterAll(() => controller.close());

type Rules = NonNullable<ScenarioInput['rules']>;
const names = (list: { readonly result?: { readonly tools?: readonly { readonly name: string }[] } }): string[] =>
  (list.result?.tools ?? []).map(({ name }) => name);

const on = (method: string, ...actions: Rules[number]['do']): Rules[number] => ({ when: { method }, do: actions });

describe.each(CARRIERS)('a scenario on %s', (carrier) => {
  /** A server and one peer that has shaken hands. */
  const start = async (scenario: Omit<ScenarioInput, 'scenario'>): Promise<Setup & { peer: Peer }> => {
    const setup = await serveOn(carrier, controller, scenario);
    const peer = setup.connect();
    await peer.handshake();
    return { ...setup, peer };
  };

  it('serves tools page by page, answers calls and refuses what it does not have', async () => {
    const { peer, server } = await start({ tools: [{ generate: { count: 25 } }, { name: 'bad', error: { code: -1, message: 'no' } }], pagination: { pageSize: 10 } });
    const listed: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const list = await peer.ask('tools/list', cursor === undefined ? {} : { cursor });
      listed.push(...names(list));
      cursor = list.result?.nextCursor;
    }
    expect(listed).toEqual([...Array.from({ length: 25 }, (_, index) => `tool_${index}`), 'bad']);
    expect(await peer.ask('tools/list', { cursor: 'x' })).toMatchObject({ error: { code: -32602 } });
    expect(await peer.ask('tools/call', { name: 'tool_3', arguments: { é: '🦀' } })).toMatchObject({
      result: { content: [{ text: '{"tool":"tool_3","arguments":{"é":"🦀"}}' }] },
    });
    expect(await peer.ask('tools/call', { name: 'bad' })).toMatchObject({ error: { code: -1, message: 'no' } });
    expect(await peer.ask('nothing')).toMatchObject({ error: { code: -32601 } });
    await peer.end();
    await server.waitFor((record) => record.kind === 'process' && (record.event === 'input-end' || record.event === 'session-end'));
  });

  it('counts matches for each rule, and looks at tools and params', async () => {
    const { peer } = await start({
      tools: [{ name: 'a' }],
      rules: [
        { when: { method: 'tools/call', tool: 'a', nth: 2 }, do: [{ error: { code: 7, message: 'second' } }] },
        { when: { method: 'tools/call', params: { arguments: { k: { $any: true } } } }, do: [{ reply: { result: 'any' } }] },
      ],
    });
    expect(await peer.ask('tools/call', { name: 'a', arguments: { k: 1 } })).toMatchObject({ result: 'any' });
    expect(await peer.ask('tools/call', { name: 'a', arguments: { k: 1 } })).toMatchObject({ error: { code: 7 } });
    expect(await peer.ask('tools/call', { name: 'a' })).toMatchObject({ result: { content: [{ type: 'text' }] } });
  });

  it('holds a listing while other traffic goes on, and answers with the tools as they are then', async () => {
    const { peer, server } = await start({
      tools: [{ name: 'old' }], rules: [{ id: 'slow', when: { method: 'tools/list', nth: 1 }, do: [{ hold: 'h' }, { default: {} }] }],
    });
    const listing = peer.ask('tools/list');
    await server.waitFor(held('h'));
    await peer.ask('ping');
    await server.do([{ setTools: { tools: [{ name: 'new' }] } }]);
    await server.release('h');
    expect(names(await listing)).toEqual(['new']);
    await server.waitFor(fired('slow'));
    await expect(server.release('h')).rejects.toThrow('nothing waits at the hold "h"');
  });

  it('notifies by rule, by signal and by command, as often as it is told', async () => {
    const { peer, server } = await start({
      tools: [{ name: 'a' }],
      rules: [
        on('tools/call', { notify: { method: 'in-call', frame: { times: 20 } } }, { default: {} }),
        { when: { signal: 's' }, do: [{ notify: { method: 'by-signal' } }] },
        { when: { after: 1 }, do: [{ notify: { method: 'after' } }] },
      ],
    });
    await peer.ask('tools/call', { name: 'a' });
    await server.signal('s');
    await server.do([{ notify: { method: 'by-command', params: { text: '\u2028' } } }]);
    await server.waitFor(sent('after'));
    await vi.waitFor(() => {
      const methods = peer.unasked().map(({ method }) => method);
      expect(methods.filter((method) => method === 'in-call')).toHaveLength(20);
      expect(methods).toEqual(expect.arrayContaining(['by-signal', 'by-command', 'after']));
    });
    await expect(server.signal('x')).rejects.toThrow('no rule waits for the signal "x"');
  });

  it('asks the client, and hears its answer', async () => {
    const { peer, server } = await start({ tools: [{ name: 'a' }], rules: [on('tools/call', { request: { id: 'q', method: 'roots/list' } }, { default: {} })] });
    await peer.ask('tools/call', { name: 'a' });
    expect(peer.unasked()).toMatchObject([{ id: 'q', method: 'roots/list' }]);
    peer.send({ id: 'q', result: { roots: [] } });
    await server.waitFor((record) => record.kind === 'frame' && record.raw.includes('"roots":[]'));
  });

  it('sends what is large, byte by byte, twice or in place of something else', async () => {
    const { peer, server } = await start({
      rules: [
        on('large', { oversize: { bytes: 300_000 } }),
        on('bytes', { reply: { result: 'é\u2028🦀', frame: { everyByte: true, rawSeparators: true } } }),
        on('pieces', { reply: { result: 'abcdef', frame: { splitAt: [3, 9], crlf: true, bom: true } } }),
        on('twice', { reply: { result: 1 } }, { reply: { result: 2 } }),
      ],
    });
    expect(JSON.stringify(await peer.ask('large'))).toHaveLength(300_000);
    expect(await peer.ask('bytes')).toMatchObject({ result: 'é\u2028🦀' });
    expect(await peer.ask('pieces')).toMatchObject({ result: 'abcdef' });
    expect(await peer.ask('twice')).toMatchObject({ result: 1 });
    await server.waitFor((record) => record.kind === 'frame' && record.direction === 'server-to-client' && record.raw.includes('"result":2'));
  });

  it('ends in the middle of a call with the code it is told, everything before it sent', async () => {
    const { peer, server } = await start({
      tools: [{ name: 'a' }], rules: [on('tools/call', { notify: { method: 'bye' } }, { stderr: { text: 'out of memory\n' } }, { exit: 3 })],
    });
    await expect(peer.ask('tools/call', { name: 'a' })).rejects.toThrow();
    expect(await server.waitFor(ended())).toMatchObject({ code: 3, incarnation: 1 });
    expect(peer.unasked()).toMatchObject([{ method: 'bye' }]);
  });

  it('hangs: answers nothing more, but obeys control', async () => {
    const { peer, server } = await start({ rules: [on('x', { default: {} }, { hang: true })] });
    await peer.ask('x');
    const never = peer.ask('ping').then(() => 'answered', () => 'ended');
    await server.waitFor(fired('rule-0'));
    expect((await server.environment([])).names.length).toBeGreaterThan(0);
    await server.do([{ exit: 5 }]);
    expect(await server.waitFor(ended())).toMatchObject({ code: 5 });
    expect(await never).toBe('ended');
  });

  it('gives each incarnation its own list', async () => {
    const { connect, server } = await serveOn(carrier, controller, {
      tools: [{ name: 'healthy' }], toolLists: { sick: [{ name: 'sick' }] },
      rules: [{ when: { method: 'initialize', incarnation: 1 }, do: [{ setTools: { list: 'sick' } }, { default: {} }] }],
    });
    const lists: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      const peer = connect();
      await peer.handshake();
      lists.push(names(await peer.ask('tools/list')));
      await peer.end();
    }
    expect(lists).toEqual([['sick'], ['healthy'], ['healthy']]);
    const numbers = server.records.filter((record) => record.kind === 'process' && record.event === 'incarnation').map(({ incarnation }) => incarnation);
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('is reprogrammed while it runs; what is held is still owed, and a later incarnation begins with the new script', async () => {
    const { connect, peer, server } = await start({ tools: [{ name: 'one' }], rules: [on('tools/call', { hold: 'h' }, { default: {} })] });
    const call = peer.ask('tools/call', { name: 'one' });
    await server.waitFor(held('h'));
    await server.program({ scenario: 1, tools: [{ name: 'two' }, { name: 'one' }] });
    expect(names(await peer.ask('tools/list'))).toEqual(['two', 'one']);
    await server.release('h');
    expect(await call).toMatchObject({ result: {} });
    const other = connect();
    await other.handshake();
    expect(names(await other.ask('tools/list'))).toEqual(['two', 'one']);
    await expect(server.do([{ default: {} }])).rejects.toThrow('answers a request, and here is none');
  });

  it('answers a request by its id, long after its rule was through', async () => {
    const { peer, server } = await start({ rules: [on('late', { drop: true })] });
    const late = peer.ask('late');
    const request = await server.waitFor(received('late'));
    const id = request.kind === 'frame' && typeof request.message === 'object' && request.message !== null ? Reflect.get(request.message, 'id') : 0;
    await peer.ask('ping');
    await server.do([{ reply: { id, result: 'at last' } }]);
    expect(await late).toMatchObject({ result: 'at last' });
    await server.waitFor(answered(Number(id)));
  });
});
