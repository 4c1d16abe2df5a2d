/** What a tool returns is checked before anyone sees it. */
import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/host-services.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { call, codeOf } from './sample-calls.ts';
import { outputOf, textValue, tool } from './sample-tools.ts';

const showNothing = (): ContentBlock[] => [];

describe('a call', () => {
  test('whose value contradicts its schema says where, in the dialect of the schema', async () => {
    const registry = new LocalToolRegistry();
    const items = [{ type: 'string' }];
    registry.register(tool('new', async () => [5], { output: { schema: { prefixItems: items }, render: showNothing } }));
    registry.register(tool('said', async () => [5], { output: { schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: items }, render: showNothing } }));
    registry.register(tool('old', async () => [5], { output: { schema: { $schema: 'http://json-schema.org/draft-07/schema#', items }, render: showNothing } }));
    registry.register(tool('whole', async () => 5, { output: { schema: { type: 'object' }, render: showNothing } }));
    const messages = await Promise.all(['new', 'said', 'old', 'whole'].map(async (name) => (await registry.execute(call(name))).content));
    expect(messages.flat().map((block) => block.type === 'text' && block.text)).toEqual([
      'Error: the tool "new" returned invalid output: /0 must be string',
      'Error: the tool "said" returned invalid output: /0 must be string',
      'Error: the tool "old" returned invalid output: /0 must be string',
      'Error: the tool "whole" returned invalid output: the value must be object',
    ]);
  });

  test.each([{}, { $schema: 'http://json-schema.org/draft-07/schema#' }])('whose schema cannot be compiled is an outcome that says so', async (dialect) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => 5, { output: { schema: { ...dialect, minLength: 'nonsense' }, render: () => [] } }));
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: expect.stringContaining('returned invalid output: schema is invalid') as unknown } });
  });

  test.each([
    ['no JSON', { content: [undefined] }],
    ['against its schema', { structuredContent: {} }],
    ['endless', endless()],
  ])('whose value is %s fails', async (_what, value) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => value));
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { info: { name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' } } });
  });

  test('whose rendering is no content says so', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x'), { output: { schema: {}, render: () => JSON.parse('"text"') } }));
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'the content that render gave for "a" is no list of blocks' } });
  });

  test('is not checked against the schema where that is switched off', async () => {
    const registry = new LocalToolRegistry({ validateOutput: false });
    registry.register(tool('a', async () => 'anything'));
    expect(codeOf(await registry.execute(call('a')))).toBe('OK');
  });

  test('two schemas with one $id do not share a validator', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('s', async () => 'text', { output: outputOf('string') }));
    registry.register(tool('n', async () => 1, { output: outputOf('number') }));
    expect([codeOf(await registry.execute(call('s'))), codeOf(await registry.execute(call('n')))]).toEqual(['OK', 'OK']);
  });

  test('by a program gets the same value as one by the model', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const model = await registry.execute(call('a'));
    const program = await registry.execute(call('a', { parent: Symbol('outer') }));
    expect(program).toEqual(model);
  });
});

function endless(): unknown {
  const value: { content: unknown[] } = { content: [] };
  value.content.push(value);
  return value;
}
