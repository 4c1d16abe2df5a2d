import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../fuzz-runs.ts';
import { parseMessage } from '../../src/jsonrpc/message.ts';
import { harness, request, sentBy } from './harness.ts';

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('tools/list', 'tools/call', 'initialize', 'ping', '__proto__', 'x', '', null),
);
const looseMessage = fc.dictionary(fc.constantFrom('jsonrpc', 'id', 'method', 'params', '__proto__', 'name', 'result'), odd);
const params = fc.dictionary(fc.constantFrom('name', 'cursor', 'arguments', 'protocolVersion'), odd);
const anyRequest = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer(), fc.string()),
  method: fc.oneof(fc.constantFrom('tools/list', 'tools/call', 'initialize', 'ping'), fc.string()),
  params: fc.oneof(params, odd),
});

describe('the engine, whatever a client sends', () => {
  it('never throws on any text, and what it sends is JSON-RPC', () => {
    const engine = harness({ tools: [{ name: 'x' }, { generate: { count: 5 } }], pagination: { pageSize: 2 } });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), looseMessage.map((value) => JSON.stringify(value))), (text) => {
        const sent = sentBy(engine.hear({ type: 'message', parsed: parseMessage(text), exchange: 0 }));
        for (const message of sent) expect(message).toMatchObject({ jsonrpc: '2.0' });
      }),
      fuzzRuns(2000),
    );
  });

  it('answers every request exactly once, under its id', () => {
    const engine = harness({ tools: [{ name: 'x' }] });
    fc.assert(
      fc.property(anyRequest, (message) => {
        const sent = engine.ask(message);
        expect(sent.map(({ id }) => id)).toEqual([message.id]);
      }),
      fuzzRuns(1000),
    );
  });

  it('survives JSON that nests deeper than it can be written', () => {
    const engine = harness({ tools: [{ name: 'x' }] });
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${deep}}}`;
    const sent = sentBy(engine.hear({ type: 'message', parsed: parseMessage(text), exchange: 0 }));
    expect(sent).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    const oddId = `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`;
    expect(sentBy(engine.hear({ type: 'message', parsed: parseMessage(oddId), exchange: 0 }))).toMatchObject([{ id: null }]);
  });

  it('lists ten thousand tools in pages at no more than a few microseconds each, once they were listed', () => {
    const engine = harness({ tools: [{ generate: { count: 10_000 } }], pagination: { pageSize: 100 } });
    const drain = (): number => {
      const begin = process.hrtime.bigint();
      for (let offset = 0; offset < 10_000; offset += 100) {
        const cursor = offset === 0 ? {} : { cursor: `offset:${offset}` };
        const effects = engine.hear({ type: 'message', parsed: { ok: true, value: request(offset, 'tools/list', cursor) }, exchange: 0 });
        expect(effects).toHaveLength(1);
      }
      return Number(process.hrtime.bigint() - begin) / 1e6;
    };
    const first = drain();
    const others = [drain(), drain(), drain(), drain(), drain()].sort((a, b) => a - b);
    expect(others[2]).toBeLessThan(first);
  });
});
