import { z } from 'zod';
import { jsonObject, jsonValue } from './json.ts';
import { MAX_GENERATED_TOOLS, MAX_LEVELS } from './limits.ts';

export { MAX_GENERATED_TOOLS } from './limits.ts';


/** The answer that `tools/call` gets when no rule matches. Default: one text block that echoes name and arguments as JSON. */
const answer = {
  result: jsonObject.optional().meta({ description: 'The `result` of tools/call. Default: an echo of the call.' }),
  error: z
    .strictObject({
      code: z.int().meta({ description: 'Its code, such as -32602.' }),
      message: z.string().meta({ description: 'Its message.' }),
      data: jsonValue.optional().meta({ description: 'Its data. Default: none.' }),
    })
    .optional()
    .meta({ description: 'A JSON-RPC error instead of a result.' }),
};

/** A tool written out. Members beside `result` and `error` are listed as they stand. */
export const writtenTool = z
  .strictObject({
    name: z.string().meta({ description: 'Raw name. Any string, the empty one included.' }),
    title: z.string().optional().meta({ description: 'Its title, for people.' }),
    description: z.string().optional().meta({ description: 'What the model reads of it.' }),
    inputSchema: jsonValue.optional().meta({ description: 'The schema of its arguments, whatever it is. Default: {"type":"object"}.' }),
    outputSchema: jsonValue.optional().meta({ description: 'The schema of its structured content, whatever it is.' }),
    annotations: jsonObject.optional().meta({ description: 'Hints for clients, such as `readOnlyHint`.' }),
    execution: jsonObject.optional().meta({ description: 'How it may be called, such as `taskSupport`.' }),
    icons: jsonValue.optional().meta({ description: 'Its icons.' }),
    _meta: jsonObject.optional().meta({ description: 'Metadata of the listed tool.' }),
    ...answer,
  })
  .meta({ description: 'A tool written out.' });

/** Anything at all in the place of a tool, listed verbatim: for malformed entries. */
export const rawTool = z.strictObject({ raw: jsonValue }).meta({ description: 'Listed verbatim, whatever it is.' });

/** Many tools alike. `{n}` in name and description becomes start, start + 1, … */
export const generatedTools = z
  .strictObject({
    generate: z.strictObject({
      count: z.int().min(1).max(MAX_GENERATED_TOOLS).meta({ description: 'How many.' }),
      start: z.int().min(0).default(0).meta({ description: 'The first number.' }),
      name: z.string().default('tool_{n}').meta({ description: 'Their name; {n} becomes the number.' }),
      description: z.string().optional().meta({ description: 'Their description; {n} becomes the number. Default: none.' }),
      inputSchema: jsonValue.optional().meta({ description: 'The schema of the arguments of each. Default: {"type":"object"}.' }),
      levels: z.int().min(2).max(MAX_LEVELS).optional().meta({ description: 'How many levels that schema nests, which no file could: it is made up. Not with `inputSchema`.' }),
      outputSchema: jsonValue.optional().meta({ description: 'The schema of the structured content of each. Default: none.' }),
      ...answer,
    }),
  })
  .meta({ description: 'Many tools alike.' });

/** Tools taken from the last complete listing of a trace, which is given beside the file: a file reads no file. */
export const tracedTools = z
  .strictObject({ fromTrace: jsonValue })
  .meta({ description: 'Tools from the trace that is given beside the file (--tools-from). Write `true`.' });

/** One entry of a tool list. */
export const toolEntry = z.union([generatedTools, rawTool, tracedTools, writtenTool]);

/** One entry of a tool list, as written in a scenario. */
export type ToolEntry = z.infer<typeof toolEntry>;
