/**
 * Turns a judged list into what the registry gets: one definition a tool, built before anything is swapped (S25, S28).
 * @module
 */
import type { ContentBlock, JsonObject, JsonValue, ToolDefinition, ToolExecution } from './host-services.ts';
import { ProjectionStaging } from './image-staging.ts';
import { isJsonObject, jsonDepth, sameJson } from './json-shape.ts';
import type { OutputValidator } from './output-validation.ts';
import { quoteName, type NamedTool } from './tool-list.ts';

/** The private side of one registered tool. It outlives re-syncs that leave the definition as it is (S33). */
export interface ToolSlot {
  readonly publicName: string;
  /** What goes on the wire, byte for byte (S19). */
  readonly rawName: string;
  /** Whether only task execution is allowed (S39). */
  taskRequired: boolean;
  /** The declared `outputSchema`, unjudged; `undefined` when there is none. */
  outputSchema: JsonValue | undefined;
  /** Made on first use, once a generation (S37). */
  validator: OutputValidator | undefined;
  /** Whether the missing of structured content was logged already: once a generation, not once a call. */
  missingReported: boolean;
}

/** A tool ready to be registered. */
export interface BuiltTool {
  readonly definition: ToolDefinition;
  readonly slot: ToolSlot;
}

/** What building definitions needs. */
export interface BuildInput {
  readonly tools: readonly NamedTool[];
  /** Whether an input schema without an object root is given one (B13). */
  readonly schemaRoot: 'pass' | 'repair';
  /** Levels an input schema may nest; default 200, well below where writing it as JSON overflows the stack (B13, B27). */
  readonly maxSchemaDepth?: number;
  /** Runs one call of one tool; projections with images are left in `staging`. */
  readonly execute: (slot: ToolSlot, args: unknown, exec: ToolExecution, staging: ProjectionStaging) => Promise<JsonValue>;
  /** Synchronous and pure (S47). */
  readonly render: (args: unknown, value: JsonValue) => ContentBlock[];
  /** Projections of this generation; default new ones, so that no generation takes another's (S48). */
  readonly staging?: ProjectionStaging;
}

/** Definitions, and what is odd about their schemas. */
export interface BuiltDefinitions {
  readonly tools: readonly BuiltTool[];
  /** One line an odd tool, to be logged (B13). */
  readonly oddities: readonly string[];
}

/**
 * The canonical value's schema, the same for every tool: `{ content, structuredContent? }` (S35). A tool's own
 * `outputSchema` is not embedded: its references would resolve against another root, and hosts enforce only a part of
 * JSON Schema.
 */
export const CANONICAL_VALUE_SCHEMA: JsonObject = {
  type: 'object',
  properties: { content: { type: 'array', items: {} }, structuredContent: {} },
  required: ['content'],
  additionalProperties: false,
};

/** Builds every definition of one list, in listing order. */
export function buildDefinitions(input: BuildInput): BuiltDefinitions {
  const oddities: string[] = [];
  const { execute, schemaRoot, maxSchemaDepth = 200, staging = new ProjectionStaging() } = input;
  const shared: SharedParts = {
    schemaRoot,
    maxSchemaDepth,
    output: { schema: CANONICAL_VALUE_SCHEMA, render: input.render },
    execute: (slot, args, exec) => execute(slot, args, exec, staging),
    finalizeContent: (exec, result) => staging.take(exec, result),
  };
  const tools = input.tools.map((tool) => buildTool(tool, shared, oddities));
  return { tools, oddities };
}

/** What all definitions of one generation have in common. */
interface SharedParts extends Required<Pick<ToolDefinition, 'output' | 'finalizeContent'>>, Required<Pick<BuildInput, 'schemaRoot' | 'maxSchemaDepth'>> {
  readonly execute: (slot: ToolSlot, args: unknown, exec: ToolExecution) => Promise<JsonValue>;
}

function buildTool(tool: NamedTool, shared: SharedParts, oddities: string[]): BuiltTool {
  const { execute, output, finalizeContent } = shared;
  const { raw, rawName, publicName } = tool;
  const slot: ToolSlot = {
    publicName,
    rawName,
    taskRequired: requiresTask(raw),
    outputSchema: raw['outputSchema'],
    validator: undefined,
    missingReported: false,
  };
  const definition: ToolDefinition = {
    name: publicName,
    description: readDescription(tool, oddities),
    parameters: readParameters(tool, shared, oddities),
    output,
    execute: (args, exec) => execute(slot, args, exec),
    finalizeContent,
  };
  return { definition, slot };
}

/** The description as listed (S25); the registry wants text, so an absent one is empty. */
function readDescription({ raw, rawName }: NamedTool, oddities: string[]): string {
  const description = raw['description'];
  if (typeof description === 'string') return description;
  if (description !== undefined) oddities.push(`tool ${quoteName(rawName)} has a description that is no text; it is shown without one`);
  return '';
}

/**
 * The input schema as listed, the same object (S25). Replaced is one that is no object at all, and one that nests so deep that
 * whatever writes down a request of the model would fail, with every other tool in it (B13, B27).
 */
function readParameters({ raw, rawName }: NamedTool, { schemaRoot, maxSchemaDepth }: SharedParts, oddities: string[]): JsonObject {
  const schema = raw['inputSchema'];
  if (!isJsonObject(schema)) {
    oddities.push(`tool ${quoteName(rawName)} has ${schema === undefined ? 'no input schema' : 'an input schema that is no object'}; the model is shown one that takes any object`);
    return { type: 'object' };
  }
  const depth = jsonDepth(schema);
  if (depth > maxSchemaDepth) {
    oddities.push(`tool ${quoteName(rawName)} has an input schema that nests ${depth} levels, more than the ${maxSchemaDepth} of maxSchemaDepth; the model is shown one that takes any object`);
    return { type: 'object' };
  }
  if (schema['type'] === 'object') return schema;
  const repaired = schemaRoot === 'repair';
  oddities.push(`tool ${quoteName(rawName)} has an input schema without an object root; it is ${repaired ? 'given one' : 'handed on as it is'}`);
  return repaired ? { ...schema, type: 'object' } : schema;
}

/** Whether the tool may only be called as a task (specification, "Tool-level negotiation"). */
function requiresTask(raw: JsonObject): boolean {
  const execution = raw['execution'];
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

/** Whether two definitions show the model the same thing, to the letter (S27, S33). */
export function sameDefinition(left: ToolDefinition, right: ToolDefinition): boolean {
  return left.name === right.name && left.description === right.description && sameJson(left.parameters, right.parameters);
}

/** Gives a definition that stays registered the private state of its new listing. */
export function renewSlot(kept: ToolSlot, listed: ToolSlot): void {
  kept.taskRequired = listed.taskRequired;
  if (!sameJson(kept.outputSchema, listed.outputSchema)) {
    kept.outputSchema = listed.outputSchema;
    kept.validator = undefined;
  }
  kept.missingReported = false;
}
