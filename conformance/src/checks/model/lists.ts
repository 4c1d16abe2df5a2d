/** How the model's lists look on the wire and in a registry. */
import type { Rule, ScenarioInput } from 'mcp-fixture-server/scenario';
import { mark } from '../../bench/bench.ts';
import type { OfferedTool } from '../../adapter/messages.ts';
import type { ModelPlan } from './plan.ts';
import { SERVERS } from './servers.ts';
import { callName, type HeldListing, type ModelList, type ModelState, type ModelTool } from './state.ts';

/** The hold at which the server keeps a listing. */
export const LISTING_HOLD = 'listing';
/** The method by which a server says that its list changed. */
export const LIST_CHANGED = 'notifications/tools/list_changed';

/** How a description says which tool of which server and list it belongs to. The raw name is in hex, so that any name can be read back. */
const TOKEN = /model-tool ([a-z]+)\/([0-9a-f]*) v(\d+);/;

/** A tool that a registry offers, as the model knows it. */
export interface Recognised extends ModelTool {
  readonly server: string;
  /** Its schema belongs to the list that its description does. */
  readonly whole: boolean;
}

/** A tool as a server lists it. The version is in the description and in the schema, so that neither can be mixed up. */
export function listed(tool: ModelTool, server: string = SERVERS[0]): { readonly name: string; readonly description: string; readonly inputSchema: object } {
  return {
    name: tool.raw,
    description: `model-tool ${server}/${Buffer.from(tool.raw).toString('hex')} v${tool.version}; ${mark(server, tool.raw)}`,
    inputSchema: { type: 'object', properties: { [schemaWord(tool.version)]: { type: 'string' } } },
  };
}

function schemaWord(version: number): string {
  return `v${version}`;
}

/** Which tool of which list a registry offers; `undefined` for a tool that is none of the model's. */
export function recognise(tool: OfferedTool): Recognised | undefined {
  const found = TOKEN.exec(tool.description);
  if (found === null) return undefined;
  const [, server = '', raw = '', number] = found;
  const version = Number(number);
  const whole = JSON.stringify(tool.parameters ?? null).includes(`"${schemaWord(version)}"`);
  return { server, raw: Buffer.from(raw, 'hex').toString(), version, whole };
}

/** The tools of one server that a registry offers. */
export function recognised(tools: readonly OfferedTool[], server: string): Recognised[] {
  return tools.flatMap((tool) => {
    const known = recognise(tool);
    return known?.server === server ? [known] : [];
  });
}

/** Numbers of the lists of a server that a registry holds exactly, whatever the order of tools. */
export function heldLists(tools: readonly OfferedTool[], { server, lists }: Pick<ModelState, 'server' | 'lists'>): number[] {
  const there = recognised(tools, server.name);
  const isHeld = (list: ModelList): boolean =>
    there.length === list.length &&
    list.every(({ raw, version }) => there.some((tool) => tool.whole && tool.raw === raw && tool.version === version));
  return lists.flatMap((list, number) => (isHeld(list) ? [number] : []));
}

/** The pages of a list, with the cursor that leads to each; the first has none. */
function pagesOf(list: ModelList, number: number, plan: ModelPlan): { readonly cursor: string | undefined; readonly tools: ModelList }[] {
  const count = Math.max(1, Math.ceil(list.length / plan.pageSize));
  return Array.from({ length: count }, (_, page) => ({
    cursor: page === 0 ? undefined : `run ${plan.base} list ${number} page ${page}`,
    tools: list.slice(page * plan.pageSize, (page + 1) * plan.pageSize),
  }));
}

/**
 * The script of a server at one moment. A listing is a snapshot: its cursors lead through the list that was there when
 * it began, whatever comes in between, so that a mixture in a registry is never the server's doing.
 */
export function scriptOf(state: ModelState, plan: ModelPlan, armed?: Pick<HeldListing, 'ends'> & { readonly page: 'first' | 'last' }): ScenarioInput {
  const last = state.lists.length - 1;
  const pageRules = state.lists.flatMap((list, number) => {
    const pages = pagesOf(list, number, plan);
    const heldPage = armed === undefined || number !== last ? undefined : armed.page === 'first' ? 0 : pages.length - 1;
    return pages.flatMap(({ cursor, tools }, page): Rule[] => {
      if (cursor === undefined && number !== last) return [];
      const nextCursor = pages[page + 1]?.cursor;
      const result = { tools: tools.map((tool) => listed(tool, state.server.name)), ...(nextCursor === undefined ? {} : { nextCursor }) };
      const held = page === heldPage;
      const end = held && armed?.ends === 'error' ? { error: { code: -32603, message: 'the list is not at hand' } } : { reply: { result } };
      return [{
        id: `list-${number}-page-${page}`,
        when: { method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
        do: held ? [{ hold: LISTING_HOLD }, end] : [end],
      }];
    });
  });
  const first = pageRules.filter(({ when }) => when.params === undefined);
  const others = pageRules.filter(({ when }) => when.params !== undefined);
  const unknownCursor: Rule = {
    id: 'unknown-cursor',
    when: { method: 'tools/list', params: { cursor: { $any: true } } },
    do: [{ error: { code: -32602, message: 'Invalid cursor' } }],
  };
  return {
    scenario: 1,
    // Listings are answered by the rules; these are the tools that answer calls, also under a name that is listed no more.
    tools: state.server.names.map((name) => ({ name })),
    rules: [...others, unknownCursor, ...first, ...heldCalls(plan)],
  };
}

/** A call that carries the name of a hold waits at it before it is answered. */
function heldCalls(plan: ModelPlan): Rule[] {
  // A first healthy call of each server is put before the plan's own steps.
  return Array.from({ length: plan.steps.length + SERVERS.length }, (_, index) => {
    const hold = callName(index);
    return { id: hold, when: { method: 'tools/call', params: { arguments: { hold } } }, do: [{ hold }, { default: {} }] };
  });
}
