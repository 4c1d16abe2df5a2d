import { describe, expect, it } from 'vitest';
import { assertBuilt } from '../../src/scenario/built.ts';
import { checkActions, checkScenario } from '../../src/scenario/check.ts';
import { expandTools } from '../../src/scenario/expand.ts';
import { scenario } from '../../src/scenario/schema.ts';

describe('expanding tools', () => {
  it('gives what is listed, its raw name and its answer, in order', () => {
    const { tools } = checkScenario({
      scenario: 1,
      tools: [
        { name: 'w', result: { content: [] } },
        { raw: { name: 'r', odd: true } },
        { raw: null },
        { generate: { count: 2, start: 1, name: '{n}-{n}', inputSchema: true } },
      ],
    });
    expect(expandTools(tools)).toEqual([
      { listed: { name: 'w', inputSchema: { type: 'object' } }, name: 'w', result: { content: [] } },
      { listed: { name: 'r', odd: true }, name: 'r' },
      { listed: null, name: undefined },
      { listed: { name: '1-1', inputSchema: true }, name: '1-1' },
      { listed: { name: '2-2', inputSchema: true }, name: '2-2' },
    ]);
  });
});

describe('what is not built', () => {
  it('is refused where a scenario is given as a value, too', () => {
    const parsed = scenario.parse({ scenario: 1, tools: [{ fromTrace: 'x' }] });
    expect(() => assertBuilt(parsed, 'here')).toThrow('here: tools[0]: tools `fromTrace` come from a trace');
    expect(() => checkActions([{ setTools: { tools: [{ fromTrace: 1 }] } }])).toThrow('give it with --tools-from');
  });
});
