import { describe, expect, it } from 'vitest';
import { harness, request, type Wire } from './harness.ts';

const listed = (answers: readonly Wire[]): Wire['result'] => answers[0]?.result;

describe('a server without rules', () => {
  it('mirrors the revision that the client asks for, or says the one it is given', () => {
    const init = request(1, 'initialize', { protocolVersion: '2024-11-05' });
    expect(harness({}).ask(init)).toMatchObject([{ id: 1, result: { protocolVersion: '2024-11-05', serverInfo: { name: 'mcp-fixture-server' } } }]);
    expect(harness({ protocolVersion: '1999-01-01' }).ask(init)).toMatchObject([{ result: { protocolVersion: '1999-01-01' } }]);
  });

  it('answers ping, and any method it does not know with -32601, before initialize too', () => {
    const engine = harness({});
    expect(engine.ask(request('a', 'ping'))).toEqual([{ jsonrpc: '2.0', id: 'a', result: {} }]);
    for (const method of ['server/discover', 'resources/list', 'toString']) {
      expect(engine.ask(request(2, method))).toMatchObject([{ id: 2, error: { code: -32601 } }]);
    }
  });

  it('answers neither notifications nor answers', () => {
    const engine = harness({});
    expect(engine.ask({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([]);
    expect(engine.ask({ jsonrpc: '2.0', id: 5, result: {} })).toEqual([]);
  });

  it.each([2, 3, 20_000])('lists a schema of %i levels, also where nobody could write it down (B13)', (levels) => {
    const engine = harness({ tools: [{ generate: { count: 1, name: 'deep', levels } }, { name: 'b' }] });
    const [first, last] = Object.values(Object(listed(engine.ask(request(1, 'tools/list')))?.['tools'])).map((tool) => Object(tool));
    let depth = 0;
    for (let at: unknown = first.inputSchema; typeof at === 'object' && at !== null; depth += 1) at = Reflect.get(at, 'properties') ?? Reflect.get(at, 'a');
    expect([first.name, first.inputSchema.type, depth, last.name]).toEqual(['deep', 'object', levels, 'b']);
  });

  it('lists written, raw and generated tools in their order', () => {
    const engine = harness({
      tools: [{ name: 'a', description: 'd', _meta: { x: 1 }, result: { content: [] } }, { raw: 7 }, { generate: { count: 2, start: 5, name: 'g{n}', description: '{n}!' } }],
    });
    expect(listed(engine.ask(request(1, 'tools/list')))).toEqual({
      tools: [
        { name: 'a', description: 'd', _meta: { x: 1 }, inputSchema: { type: 'object' } },
        7,
        { name: 'g5', description: '5!', inputSchema: { type: 'object' } },
        { name: 'g6', description: '6!', inputSchema: { type: 'object' } },
      ],
    });
  });

  it.each([
    { cursor: 'offset:{n}', first: 'offset:2', second: 'offset:4' },
    { cursor: '{"offset":{n}}', base64: true, first: Buffer.from('{"offset":2}').toString('base64'), second: Buffer.from('{"offset":4}').toString('base64') },
    { cursor: 'always the same', first: 'always the same', second: 'always the same' },
    { cursor: '', first: '', second: '' },
  ])('pages with the cursor $first', ({ first, second, ...pagination }) => {
    const engine = harness({ tools: [{ generate: { count: 5 } }], pagination: { pageSize: 2, ...pagination } });
    const names = (answers: readonly Wire[]): unknown => listed(answers)?.tools?.map((tool) => tool.name);
    const one = engine.ask(request(1, 'tools/list', {}));
    expect([names(one), listed(one)?.nextCursor]).toEqual([['tool_0', 'tool_1'], first]);
    const two = engine.ask(request(2, 'tools/list', { cursor: first }));
    expect([names(two), listed(two)?.nextCursor]).toEqual([['tool_2', 'tool_3'], second]);
    const three = engine.ask(request(3, 'tools/list', { cursor: second }));
    expect(listed(three)).toEqual({ tools: [{ name: 'tool_4', inputSchema: { type: 'object' } }] });
  });

  it.each(['offset:1', 'offset:6', 'offset:02', 'offset:0', 'offset:-2', 'offset:', 'offset:2 ', '', 'x', 2, null])(
    'refuses the cursor %j that it never gave out',
    (cursor) => {
      const engine = harness({ tools: [{ generate: { count: 5 } }], pagination: { pageSize: 2 } });
      expect(engine.ask(request(1, 'tools/list', { cursor }))).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    },
  );

  it('echoes a call: name and arguments, absent ones absent', () => {
    const engine = harness({ tools: [{ name: 'x' }, { name: '__proto__' }] });
    const text = (name: string, rest: object): unknown => {
      const [answer] = engine.ask(request(1, 'tools/call', { name, ...rest }));
      return answer?.result?.content?.[0]?.text;
    };
    expect(text('x', {})).toBe('{"tool":"x"}');
    expect(text('__proto__', { arguments: JSON.parse('{"__proto__":1}') as unknown })).toBe('{"tool":"__proto__","arguments":{"__proto__":1}}');
  });

  it('gives the result or error that the tool has, and -32602 for a tool that is not there', () => {
    const engine = harness({ tools: [{ name: 'r', result: { isError: true } }, { name: 'e', error: { code: 7, message: 'm', data: [1] } }] });
    expect(engine.ask(request(1, 'tools/call', { name: 'r' }))).toEqual([{ jsonrpc: '2.0', id: 1, result: { isError: true } }]);
    expect(engine.ask(request(2, 'tools/call', { name: 'e' }))).toEqual([{ jsonrpc: '2.0', id: 2, error: { code: 7, message: 'm', data: [1] } }]);
    for (const name of ['constructor', '', 5, undefined]) {
      expect(engine.ask(request(3, 'tools/call', { name }))).toMatchObject([{ id: 3, error: { code: -32602 } }]);
    }
  });
});
