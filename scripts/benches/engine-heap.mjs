// Prints what listing ten thousand tools in pages adds to the heap of the engine, in MiB. Run with --expose-gc.
import { checkScenario, step, initialState } from 'mcp-fixture-server';

const BYTES_PER_MIB = 1024 * 1024;
const TOOLS = 10_000;
const PAGE = 100;

const heap = () => {
  global.gc?.();
  return process.memoryUsage().heapUsed;
};

/** @param {number} count */
function drained(count) {
  const description = 'A tool with a description and a schema as people write them.';
  const inputSchema = { type: 'object', properties: { path: { type: 'string', description: 'Where.' }, depth: { type: 'integer' } }, required: ['path'] };
  const state = initialState(checkScenario({
    scenario: 1, pagination: { pageSize: PAGE }, tools: count === 0 ? [] : [{ generate: { count, description, inputSchema } }],
  }));
  step(state, { type: 'spawn' });
  for (let offset = 0; offset < count; offset += PAGE) {
    const value = { jsonrpc: '2.0', id: offset, method: 'tools/list', params: offset === 0 ? {} : { cursor: `offset:${offset}` } };
    const { effects } = step(state, { type: 'message', parsed: { ok: true, value }, exchange: 0 });
    if (!effects.some((effect) => effect.type === 'send' && effect.text.includes('"result"'))) throw new Error(`no page at ${offset}`);
  }
  return state;
}

drained(0);
const before = heap();
const state = drained(TOOLS);
const after = heap();
process.stdout.write(String((after - before) / BYTES_PER_MIB));
// It lives until here.
if (state.tools.size !== TOOLS) throw new Error('the tools are gone');
