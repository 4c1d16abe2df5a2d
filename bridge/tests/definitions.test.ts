import { describe, expect, it } from 'vitest';
import { buildDefinitions, renewSlot, sameDefinition, type BuiltDefinitions, type ToolSlot } from '../src/definitions.ts';
import type { ContentBlock, JsonObject, ToolDefinition, ToolExecution } from '../src/host-services.ts';
import { ProjectionStaging } from '../src/image-staging.ts';
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

const showNothing = (): ContentBlock[] => [];

/** One tool that is listed so. */
function builtOf(more: JsonObject): BuiltDefinitions['tools'][number] {
  const [tool] = build(listedTool('t', more)).tools;
  if (tool === undefined) throw new Error('one tool is built');
  return tool;
}

function definitionOf(more: JsonObject): ToolDefinition {
  return builtOf(more).definition;
}

function slotOf(more: JsonObject): ToolSlot {
  return builtOf(more).slot;
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
    ['nothing', undefined, { type: 'object' }, 'has no input schema; the model is shown one that takes any object'],
    ['null', null, { type: 'object' }, 'has an input schema that is no object; the model is shown one that takes any object'],
    ['a list', [], { type: 'object' }, 'has an input schema that is no object; the model is shown one that takes any object'],
    ['a root without a type', { anyOf: [{ type: 'object' }] }, { anyOf: [{ type: 'object' }] }, 'has an input schema without an object root; it is handed on as it is'],
    ['an empty schema', {}, {}, 'has an input schema without an object root; it is handed on as it is'],
  ])('hands on an input schema that is %s as well as can be, and reports it (B13)', (_what, inputSchema, parameters, told) => {
    const { inputSchema: _dropped, ...rest } = listedTool('odd');
    const { tools, oddities } = build(inputSchema === undefined ? rest : { ...rest, inputSchema });
    expect(tools[0]?.definition.parameters).toEqual(parameters);
    expect(oddities).toEqual([`tool "odd" ${told}`]);
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
    const { tools, oddities } = build(listedTool('odd', { inputSchema: { anyOf: [{ required: ['a'] }], $defs: { x: true } } }), 'repair');
    expect(oddities).toEqual(['tool "odd" has an input schema without an object root; it is given one']);
    expect(tools[0]?.definition.parameters).toEqual({ anyOf: [{ required: ['a'] }], $defs: { x: true }, type: 'object' });
  });

  it('shows a tool without a usable description, and says so where it was no text', () => {
    expect(build({ name: 'a', inputSchema: { type: 'object' } })).toMatchObject({ tools: [{ definition: { description: '' } }], oddities: [] });
    expect(build(listedTool('a', { description: 5 })).oddities).toEqual(['tool "a" has a description that is no text; it is shown without one']);
  });

  it('describes to the registry what every tool returns, and how it is shown (S35, S40)', () => {
    const [one] = buildDefinitions({ tools: [{ rawName: 't', publicName: 't', raw: listedTool('t') }], schemaRoot: 'pass', execute: () => Promise.resolve(null), render: showNothing }).tools;
    expect(one?.definition.output).toEqual({
      schema: { type: 'object', properties: { content: { type: 'array', items: {} }, structuredContent: {} }, required: ['content'], additionalProperties: false },
      render: showNothing,
    });
  });

  it('hands a call on with the tool that it is for, and gives the host what was staged for it at the end (S19, S47)', async () => {
    const staging = new ProjectionStaging();
    const executed: unknown[] = [];
    const execute = (...given: unknown[]): Promise<null> => {
      executed.push(given);
      return Promise.resolve(null);
    };
    const [one] = buildDefinitions({ tools: [{ rawName: 't', publicName: 't', raw: listedTool('t') }], schemaRoot: 'pass', execute, render: () => [], staging }).tools;
    const exec: ToolExecution = { callId: 'c', name: 't', arguments: {}, signal: new AbortController().signal };
    await one?.definition.execute({ a: 1 }, exec);
    expect(executed).toEqual([[one?.slot, { a: 1 }, exec, staging]]);
    const value = { content: [] };
    const result = { isError: false, value, content: [] } as const;
    expect(one?.definition.finalizeContent?.(exec, { ...result, content: [] })).toBeUndefined();
    staging.stage(exec, { value, fallback: [], content: [{ type: 'text', text: 'staged' }] });
    expect(one?.definition.finalizeContent?.(exec, { ...result, content: [] })).toEqual([{ type: 'text', text: 'staged' }]);
  });

  it.each<readonly [JsonObject, boolean]>([
    [{ execution: { taskSupport: 'required' } }, true],
    [{ execution: { taskSupport: 'optional' } }, false],
    [{ execution: {} }, false],
    [{ execution: 'required' }, false],
    [{ taskSupport: 'required' }, false],
    [{}, false],
  ])('keeps of a tool with %j whether it can only be called as a task (S39)', (more, taskRequired) => {
    const outputSchema = { type: 'object' };
    expect(build(listedTool('t', { ...more, outputSchema })).tools[0]?.slot).toEqual({ publicName: 'mcp__s__t', rawName: 't', taskRequired, outputSchema, validator: undefined, missingReported: false });
  });
});

it('tells definitions apart by what the model sees of them: name, description and schema (S33)', () => {
  const definition = definitionOf({});
  expect(sameDefinition(definition, definitionOf({}))).toBe(true);
  for (const change of [{ name: 'u' }, { description: 'other' }, { inputSchema: { type: 'object', properties: { a: {} } } }]) {
    expect(sameDefinition(definition, definitionOf(change))).toBe(false);
  }
});

const validator = (): { readonly kind: 'valid' } => ({ kind: 'valid' });

describe('a tool that is listed again', () => {
  it.each<readonly [string, JsonObject, boolean]>([
    ['keeps its compiled output schema where that is the same', { type: 'object' }, true],
    ['loses it where that is another', { type: 'array' }, false],
  ])('%s, and may be warned about anew (S37)', (_what, outputSchema, isKept) => {
    const kept = { ...slotOf({ outputSchema: { type: 'object' } }), validator, missingReported: true };
    renewSlot(kept, slotOf({ outputSchema, execution: { taskSupport: 'required' } }));
    expect(kept).toEqual({ ...slotOf({ outputSchema }), taskRequired: true, validator: isKept ? validator : undefined, missingReported: false });
  });
});
