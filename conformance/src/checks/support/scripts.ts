/**
 * Scripts of fixture servers as checks write them: tools that carry their mark, rules, results.
 */
import type { Action, Rule, ScenarioInput, ToolEntry } from 'mcp-fixture-server/scenario';
import { mark } from '../../bench/bench.ts';

/** A tool written out, as a scenario has it. */
type WrittenTool = Extract<ToolEntry, { name: string }>;

/** A tool whose description carries its mark, so that an exercise finds it under any public name. */
export function tool(server: string, name: string, more: Partial<Omit<WrittenTool, 'name' | 'description'>> = {}): WrittenTool {
  return { name, description: `A scripted tool. ${mark(server, name)}`, ...more };
}

/** Promises of a tool by which a call looks as if it could be sent again. They are hints, and nobody vouches for them (B04). */
export const HARMLESS: NonNullable<WrittenTool['annotations']> = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** The tool that answers at once with what it was given; the healthy call before and after a stimulus goes to it. */
export const STEADY = 'steady';

/** A script with these tools, {@link STEADY} first. */
export function script(server: string, tools: readonly ToolEntry[], rules: readonly Rule[] = [], more: Partial<ScenarioInput> = {}): ScenarioInput {
  return { scenario: 1, tools: [tool(server, STEADY), ...tools], rules: [...rules], ...more };
}

/**
 * A script with these tools and no other. For exercises with several servers: a bridge whose names do not carry the server
 * may offer one tool of a raw name only, so each server has raw names of its own.
 */
export function ownScript(server: string, names: readonly string[], rules: readonly Rule[] = []): ScenarioInput {
  return { scenario: 1, tools: names.map((name) => tool(server, name)), rules: [...rules] };
}

/** What happens when a tool is called. */
export function onCall(name: string, actions: readonly Action[], narrow: { readonly incarnation?: number } = {}): Rule {
  return { id: `on-${name}`, when: { method: 'tools/call', tool: name, ...narrow }, do: [...actions] };
}

/** What happens when a request or a notification comes. */
export function onMethod(method: string, actions: readonly Action[], id = `on-${method}`): Rule {
  return { id: id.replaceAll('/', '-'), when: { method }, do: [...actions] };
}

/** What a process does first. */
export function onSpawn(actions: readonly Action[]): Rule {
  return { id: 'on-spawn', when: { spawn: true }, do: [...actions] };
}

/** A result of one text. */
export function textResult(text: string): Readonly<Record<string, unknown>> {
  return { content: [{ type: 'text', text }] };
}

/** The server's normal answer. */
export const ANSWER: Action = { default: {} };

/** A word of 72 letters that occurs nowhere by chance; long enough that finding it means a leak. */
export function canary(word: string): string {
  return `${word}${'qJ7xW2kP'.repeat(9)}`.slice(0, 72);
}
