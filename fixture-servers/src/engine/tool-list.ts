import { expandTools, type ExpandedTool } from '../scenario/expand.ts';
import type { Scenario, ToolEntry } from '../scenario/schema.ts';
import { jsonText } from '../jsonrpc/message.ts';

/** What a tool answers: a result as JSON text, or an error. */
export type ToolAnswer =
  | { readonly kind: 'echo' }
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown };

/** A tool list ready to be served: pages are serialised once, on first use. */
export interface ToolList {
  /** How many entries it has. */
  readonly size: number;
  /** The JSON of the entries `from` to `from + count`, comma separated, without the brackets. */
  page(from: number, count: number): string;
  /** What a call of this raw name is answered; `undefined` for an unknown tool. The first of several namesakes answers. */
  find(name: string): ToolAnswer | undefined;
}

const ECHO: ToolAnswer = { kind: 'echo' };

/** Makes a list from the entries of a scenario. */
export function createToolList(entries: readonly ToolEntry[]): ToolList {
  const tools = expandTools(entries);
  const pages = new Map<string, string>();
  const answers = new Map<string, ToolAnswer>();
  // Generated tools share one result: serialise it once, not once a tool.
  const shared = new Map<object, ToolAnswer>();
  for (const tool of tools) {
    if (tool.name === undefined || answers.has(tool.name)) continue;
    const given = tool.error ?? tool.result;
    const answer = (given === undefined ? ECHO : shared.get(given)) ?? toAnswer(tool);
    if (given !== undefined) shared.set(given, answer);
    answers.set(tool.name, answer);
  }
  return {
    size: tools.length,
    page(from, count) {
      const key = `${from}+${count}`;
      let text = pages.get(key);
      if (text === undefined) {
        text = tools.slice(from, from + count).map(listedText).join(',');
        pages.set(key, text);
      }
      return text;
    },
    find: (name) => answers.get(name),
  };
}

/** A tool as it stands in the list. A schema nested beyond the stack can only be written as text. */
function listedText({ listed, levels }: ExpandedTool): string {
  const text = jsonText(listed);
  if (levels === undefined) return text;
  const inner = levels - 1;
  return `${text.slice(0, -1)},"inputSchema":{"type":"object","properties":${'{"a":'.repeat(inner - 1)}{}${'}'.repeat(inner - 1)}}}`;
}

function toAnswer(tool: ExpandedTool): ToolAnswer {
  if (tool.error !== undefined) return { kind: 'error', ...tool.error };
  if (tool.result !== undefined) return { kind: 'result', json: jsonText(tool.result) };
  return ECHO;
}

/** The lists that `setTools` may name, made when first named. */
export function createNamedLists(scenario: Scenario): (name: string) => ToolList | undefined {
  const made = new Map<string, ToolList>();
  const lists = scenario.toolLists ?? {};
  return (name) => {
    let list = made.get(name);
    if (list === undefined && Object.hasOwn(lists, name)) {
      list = createToolList(lists[name] ?? []);
      made.set(name, list);
    }
    return list;
  };
}
