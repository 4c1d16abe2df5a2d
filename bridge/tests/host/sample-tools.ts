/** Tools for tests of the host. */
import type { JsonObject, ToolDefinition } from '../../src/host-services.ts';

/** A tool with the canonical schema of the bridge, whose body is given. */
export function tool(name: string, execute: ToolDefinition['execute'], more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `the tool ${name}`,
    parameters: { type: 'object' },
    output: {
      schema: canonicalSchema,
      render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    execute,
    ...more,
  };
}

/** `{ content, structuredContent? }`. */
export const canonicalSchema: JsonObject = {
  type: 'object',
  properties: { content: { type: 'array' }, structuredContent: { type: 'object' } },
  required: ['content'],
};

/** A canonical value with one text block. */
export function textValue(text: string): { content: { type: string; text: string }[] } {
  return { content: [{ type: 'text', text }] };
}

/** A promise and its resolver. */
export function gate<T = void>(): { opened: Promise<T>; open(value: T): void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
