/**
 * The scenario language, version 1: a script for one fixture server (DESIGN.md §5).
 * One source: the type, the published JSON Schema and the checks all come from `scenario`.
 */
import { z } from 'zod';
import { jsonObject, label, mapping } from './json.ts';
import { httpOptions } from './http-options.ts';
import { SCENARIO_VERSION } from './limits.ts';
import { rule } from './rules.ts';
import { toolEntry } from './tools.ts';

export { SCENARIO_VERSION } from './limits.ts';

/** A scenario as written. */
export const scenario = z
  .strictObject({
    scenario: z.literal(SCENARIO_VERSION).meta({ description: 'Version of the language.' }),
    name: label.optional().meta({ description: 'What the server is called where nobody names it: in traces and URLs.' }),
    description: z.string().optional().meta({ description: 'For people; nothing reads it.' }),
    protocolVersion: z.string().default('mirror').meta({
      description: 'The revision that `initialize` answers. Default `mirror`: the one the client asked for.',
    }),
    serverInfo: jsonObject.optional().meta({ description: 'What `initialize` says the server is. Default: {"name":"mcp-fixture-server","version":"1"}.' }),
    instructions: z.string().optional().meta({ description: 'The `instructions` that `initialize` answers. Default: none.' }),
    capabilities: jsonObject.optional().meta({ description: 'The capabilities that `initialize` answers. Default: {"tools":{"listChanged":true}}.' }),
    tools: z.array(toolEntry).default([]).meta({ description: 'The tools that are listed, in this order.' }),
    toolLists: mapping(z.array(toolEntry), 'Other lists, for `setTools`.').optional(),
    pagination: z
      .strictObject({
        pageSize: z.int().min(1).max(100_000).meta({ description: 'Tools a page.' }),
        cursor: z.string().default('offset:{n}').meta({
          description:
            'The cursor; {n} becomes the offset. Without {n} every page names the same cursor, and the server keeps the place.',
        }),
        base64: z.boolean().optional().meta({ description: 'Send the cursor as base64 of that text. Default false.' }),
      })
      .optional()
      .meta({ description: 'How `tools/list` is cut into pages. Default: everything on one page.' }),
    countFrom: z.enum(['initialize', 'spawn']).default('initialize').meta({
      description: 'When a process counts as an incarnation: once it received `initialize`, or from its start. Over HTTP `initialize` counts sessions, `spawn` processes.',
    }),
    http: httpOptions.optional(),
    rules: z.array(rule).max(1000).default([]).meta({ description: 'What it does instead of the normal, and when.' }),
  })
  .meta({ title: 'MCP fixture scenario', description: 'A script for one fixture server.' });

/** A scenario with its defaults filled in. */
export type Scenario = z.infer<typeof scenario>;
/** A scenario as a person writes it: defaults may be left out. */
export type ScenarioInput = z.input<typeof scenario>;

export { action, type Action, type FrameOptions } from './actions.ts';
export { type HttpOptions } from './http-options.ts';
export { rule, when, type Rule, type When } from './rules.ts';
export { toolEntry, type ToolEntry } from './tools.ts';
