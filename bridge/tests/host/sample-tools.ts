/** Tools for tests of the host. */
import type { JsonObject, ToolDefinition } from '../../src/host-services.ts';
import { defer } from '../helpers-logic/scripted-session.ts';

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

/** A schema of any `$id` and type. */
export function outputOf(type: string): ToolDefinition['output'] {
  return { schema: { $id: 'https://example.test/same', type }, render: () => [{ type: 'text', text: '' }] };
}

/** A tool whose value and final content say which definition they are of. */
export function labelled(name: string, label: string): ToolDefinition {
  return tool(name, async () => textValue(label), { finalizeContent: () => [{ type: 'text', text: `final ${label}` }] });
}

/** Whether every level of a value is frozen. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

/** Listens to an event of a context of either Cordis, until the plugin ends. */
export function listen(ctx: unknown, event: string, listener: (...args: unknown[]) => unknown): void {
  if (!isEmitter(ctx)) throw new TypeError('no context');
  ctx.on(event, listener);
}

function isEmitter(ctx: unknown): ctx is { on(event: string, listener: (...args: unknown[]) => unknown): void } {
  return typeof ctx === 'object' && ctx !== null && 'on' in ctx;
}

/** A promise and its resolver. */
export function gate<T = void>(): { opened: Promise<T>; open(value: T): void } {
  const { promise, resolve } = defer<T>();
  return { opened: promise, open: resolve };
}
