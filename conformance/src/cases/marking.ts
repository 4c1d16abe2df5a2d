/**
 * How tools of a case are found again in a registry under any public name: their descriptions carry a mark, as those of
 * the suite's own scripts do. What the model reads is longer by it; what the server lists and what is offered is the same.
 */
import type { Action, Scenario, ToolEntry } from 'mcp-fixture-server/scenario';
import type { OfferedTool, SubjectDescription } from '../adapter/messages.ts';
import { mark } from '../bench/bench.ts';
import { schemeName } from '../checks/naming/formula.ts';
import { isObject } from '../history/views.ts';

const MARK = /\[\[([^|\]]*)\|(?:([0-9a-f]*)|=([^\]]*))\]\]/;

/** A tool of a server, as a mark names it. */
export interface MarkedTool {
  readonly server: string;
  readonly rawName: string;
}

/** Whose tool this is, by the mark in its description. */
export function recognise(tool: Pick<OfferedTool, 'description'>): MarkedTool | undefined {
  const found = MARK.exec(tool.description);
  const [, server, hex, literal] = found ?? [];
  if (server === undefined) return undefined;
  return { server: decodeURIComponent(server), rawName: literal ?? Buffer.from(hex ?? '', 'hex').toString('utf8') };
}

/** The script with a mark in the description of every tool that has a name, wherever it is listed. */
export function marked(server: string, scenario: Scenario): Scenario {
  const list = (entries: readonly ToolEntry[]): ToolEntry[] => entries.map((entry) => markEntry(server, entry));
  const lists = Object.entries(scenario.toolLists ?? {}).map(([name, entries]) => [name, list(entries)] as const);
  return {
    ...scenario,
    tools: list(scenario.tools),
    ...(scenario.toolLists === undefined ? {} : { toolLists: Object.fromEntries(lists) }),
    rules: scenario.rules.map((rule) => ({ ...rule, do: rule.do.map((action) => markAction(server, action)) })),
  };
}

/** An action with marks in the lists that it brings. */
export function markAction(server: string, action: Action): Action {
  if ('setTools' in action && 'tools' in action.setTools) {
    return { setTools: { tools: action.setTools.tools.map((entry) => markEntry(server, entry)) } };
  }
  if (!('reply' in action)) return action;
  const { result } = action.reply;
  if (!isObject(result) || !Array.isArray(result['tools'])) return action;
  return { reply: { ...action.reply, result: { ...result, tools: result['tools'].map((tool) => markListed(server, tool)) } } };
}

function markEntry(server: string, entry: ToolEntry): ToolEntry {
  if ('raw' in entry) return { raw: markListed(server, entry.raw) };
  if ('fromTrace' in entry) return entry;
  if ('generate' in entry) {
    const { generate } = entry;
    if (generate.description?.includes('[[') === true || generate.name.includes(']')) return entry;
    return { generate: { ...generate, description: joined(generate.description, `[[${encodeURIComponent(server)}|=${generate.name}]]`) } };
  }
  return entry.description?.includes('[[') === true ? entry : { ...entry, description: joined(entry.description, mark(server, entry.name)) };
}

/** What is listed as it stands keeps everything but a description of text, or none. */
function markListed(server: string, tool: unknown): unknown {
  if (!isObject(tool) || typeof tool['name'] !== 'string') return tool;
  const { description } = tool;
  if (description !== undefined && (typeof description !== 'string' || description.includes('[['))) return tool;
  return { ...tool, description: joined(description, mark(server, tool['name'])) };
}

function joined(description: string | undefined, word: string): string {
  return description === undefined || description === '' ? word : `${description} ${word}`;
}

/**
 * The offered tool of this raw name: by its mark; where the description did not come through, by the declared scheme, or
 * as the only unmarked tool whose name ends like it.
 */
export function findTool(tools: readonly OfferedTool[], wanted: MarkedTool, subject: SubjectDescription): OfferedTool | undefined {
  const byMark = tools.find((tool) => {
    const known = recognise(tool);
    return known?.server === wanted.server && known.rawName === wanted.rawName;
  });
  if (byMark !== undefined) return byMark;
  const unmarked = tools.filter((tool) => recognise(tool) === undefined);
  if (subject.names.scheme === 'mcp-qualified-64-v1') {
    const due = schemeName(wanted.server, wanted.rawName);
    return unmarked.find(({ name }) => name === due);
  }
  const alike = unmarked.filter(({ name }) => name.endsWith(wanted.rawName));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Raw names of a server's tools in a registry, in model order. */
export function rawNamesOf(tools: readonly OfferedTool[], server: string): string[] {
  return tools.flatMap((tool) => {
    const known = recognise(tool);
    return known?.server === server ? [known.rawName] : [];
  });
}
