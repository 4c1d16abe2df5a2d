import { describe, expect, it } from 'vitest';
import { buildDefinitions, type BuiltDefinitions } from '../src/definitions.ts';
import type { JsonObject } from '../src/host-services.ts';
import { listedTool } from './helpers-logic/scripted-session.ts';

function build(raw: JsonObject, schemaRoot: 'pass' | 'repair' = 'pass'): BuiltDefinitions {
  const rawName = typeof raw['name'] === 'string' ? raw['name'] : '';
  return buildDefinitions({
    tools: [{ rawName, publicName: `mcp__s__${rawName}`, raw }],
    schemaRoot,
    execute: () => Promise.resolve(null),
    render: () => [],
  });
}

describe('buildDefinitions', () => {
  it('passes schema and description through, key order and odd keywords included (S25)', () => {
    const inputSchema: JsonObject = JSON.parse('{"zeta":1,"type":"object","properties":{"b":{"$ref":"#/$defs/x"},"a":{}},"$defs":{"x":{}},"required":["b"]}');
    const { tools, oddities } = build(listedTool('t', { description: 'ünï [code]\n', inputSchema }));
    const definition = tools[0]?.definition;
    expect(JSON.stringify(definition?.parameters)).toBe(JSON.stringify(inputSchema));
    expect(definition?.description).toBe('ünï [code]\n');
    expect(oddities).toEqual([]);
  });

  it('has neither presentation nor anything else a host might show (S13)', () => {
    expect(Object.keys(build(listedTool('t')).tools[0]?.definition ?? {}).toSorted()).toEqual(['description', 'execute', 'finalizeContent', 'name', 'output', 'parameters']);
  });

  it.each([
    ['nothing', undefined, { type: 'object' }],
    ['null', null, { type: 'object' }],
    ['a list', [], { type: 'object' }],
    ['a root without a type', { anyOf: [{ type: 'object' }] }, { anyOf: [{ type: 'object' }] }],
    ['an empty schema', {}, {}],
  ])('hands on an input schema that is %s as well as can be, and reports it (B13)', (_what, inputSchema, parameters) => {
    const { inputSchema: _dropped, ...rest } = listedTool('odd');
    const { tools, oddities } = build(inputSchema === undefined ? rest : { ...rest, inputSchema });
    expect(tools[0]?.definition.parameters).toEqual(parameters);
    expect(oddities).toHaveLength(1);
    expect(oddities[0]).toContain('"odd"');
  });

  it.each([200, 201, 100_000])('shows a schema of %i levels as it is, or one that takes any object, and writes down every tool (B13, B27)', (levels) => {
    let inputSchema: JsonObject = { type: 'object' };
    for (let level = 1; level < levels; level += 1) inputSchema = { properties: inputSchema };
    const { tools, oddities } = build(listedTool('deep', { inputSchema: { ...inputSchema, type: 'object' } }));
    const [tool] = tools;
    expect(() => JSON.stringify(tools.map(({ definition }) => definition.parameters))).not.toThrow();
    expect(tool?.definition.parameters['properties'] !== undefined).toBe(levels === 200);
    expect(oddities).toEqual(levels === 200 ? [] : [`tool "deep" has an input schema that nests ${levels} levels, more than the 200 of maxSchemaDepth; the model is shown one that takes any object`]);
  });

  it('takes the depth from its config', () => {
    const tools = [{ rawName: 't', publicName: 't', raw: listedTool('t', { inputSchema: { type: 'object', properties: {} } }) }];
    const built = buildDefinitions({ tools, schemaRoot: 'repair', maxSchemaDepth: 1, execute: () => Promise.resolve(null), render: () => [] });
    expect(built).toMatchObject({ tools: [{ definition: { parameters: { type: 'object' } } }], oddities: [expect.stringContaining('nests 2 levels, more than the 1 of')] });
    expect(built.tools[0]?.definition.parameters).not.toHaveProperty('properties');
  });

  it('gives a schema an object root where the config asks for it (B13)', () => {
    const { tools } = build(listedTool('odd', { inputSchema: { anyOf: [{ required: ['a'] }], $defs: { x: true } } }), 'repair');
    expect(tools[0]?.definition.parameters).toEqual({ anyOf: [{ required: ['a'] }], $defs: { x: true }, type: 'object' });
  });

  it('shows a tool without a usable description, and says so where it was no text', () => {
    expect(build({ name: 'a', inputSchema: { type: 'object' } })).toMatchObject({ tools: [{ definition: { description: '' } }], oddities: [] });
    expect(build(listedTool('a', { description: 5 })).oddities).toHaveLength(1);
  });
});
