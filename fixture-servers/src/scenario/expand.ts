import type { ToolEntry } from './schema.ts';

/** An error that a tool answers with. */
export interface ToolFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One tool as a server lists it and answers for it. */
export interface ExpandedTool {
  /** What stands in the list. */
  readonly listed: unknown;
  /** Levels of its input schema, which only text can hold; `listed` has none then. */
  readonly levels?: number;
  /** Its raw name; absent when the entry is malformed and has none. */
  readonly name: string | undefined;
  /** The result of a call, when the scenario gives one. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The error of a call, when the scenario gives one. */
  readonly error?: ToolFailure;
}

const DEFAULT_INPUT_SCHEMA: unknown = Object.freeze({ type: 'object' });

/**
 * The tools that entries of a scenario stand for, in listing order, generated ones included.
 * @throws Error for an entry `fromTrace` that was not filled from a trace; `assertBuilt` says so with its place beforehand.
 */
export function expandTools(entries: readonly ToolEntry[]): ExpandedTool[] {
  const tools: ExpandedTool[] = [];
  for (const entry of entries) {
    if ('generate' in entry) generate(entry.generate, tools);
    else if ('raw' in entry) tools.push({ listed: entry.raw, name: nameOf(entry.raw) });
    else if ('fromTrace' in entry) throw new Error('tools `fromTrace` come from a trace beside the file, which was not given');
    else tools.push(written(entry));
  }
  return tools;
}

type Written = Extract<ToolEntry, { name: string }>;
type Generated = Extract<ToolEntry, { generate: unknown }>['generate'];

function written(entry: Written): ExpandedTool {
  const { result, error, ...rest } = entry;
  // A key of its own kind of order: name first as people write it, the default schema only if none was given.
  const listed = 'inputSchema' in rest ? rest : { ...rest, inputSchema: DEFAULT_INPUT_SCHEMA };
  return { listed, name: entry.name, ...answer(result, error) };
}

function generate(template: Generated, into: ExpandedTool[]): void {
  const { levels } = template;
  const shared = {
    ...(levels === undefined ? { inputSchema: 'inputSchema' in template ? template.inputSchema : DEFAULT_INPUT_SCHEMA } : {}),
    ...('outputSchema' in template ? { outputSchema: template.outputSchema } : {}),
  };
  const answers = answer(template.result, template.error);
  for (let n = template.start; n < template.start + template.count; n += 1) {
    const name = template.name.replaceAll('{n}', String(n));
    const description = template.description?.replaceAll('{n}', String(n));
    into.push({ listed: { name, ...(description === undefined ? {} : { description }), ...shared }, name, ...(levels === undefined ? {} : { levels }), ...answers });
  }
}

function answer(
  result: Readonly<Record<string, unknown>> | undefined,
  error: { code: number; message: string; data?: unknown } | undefined,
): Pick<ExpandedTool, 'result' | 'error'> {
  return { ...(result === undefined ? {} : { result }), ...(error === undefined ? {} : { error }) };
}

function nameOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, 'name')) return undefined;
  const name: unknown = Reflect.get(raw, 'name');
  return typeof name === 'string' ? name : undefined;
}
