/**
 * Scripted listings of any shape: pages written out, each under a cursor of its own.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { WrittenTool } from './tool-lists.ts';

type Rule = NonNullable<ScenarioInput['rules']>[number];

/** One page: its tools, as they are listed, and the cursor that it gives; `undefined` leaves it out. */
export interface ScriptedPage {
  readonly tools: readonly unknown[];
  readonly nextCursor?: unknown;
}

/** A page as the result of `tools/list`. */
export function pageResult(page: ScriptedPage): { tools: readonly unknown[]; nextCursor?: unknown } {
  return page.nextCursor === undefined ? { tools: page.tools } : { tools: page.tools, nextCursor: page.nextCursor };
}

/** Answers `tools/list` under one cursor, or, without one, whatever no rule before it answered. */
export function onPage(cursor: string | undefined, page: ScriptedPage, nth?: number): Rule {
  return {
    when: {
      method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }), ...(nth === undefined ? {} : { nth }),
    },
    do: [{ reply: { result: pageResult(page) } }],
  };
}

/**
 * A scenario that lists these pages, each but the first under the cursor of its place. `end` is what the last one gives
 * as its cursor.
 */
export function paged(pages: readonly (readonly WrittenTool[])[], cursors: readonly string[], end?: unknown): ScenarioInput {
  const rules = pages.map((tools, place): Rule => {
    const last = place === pages.length - 1;
    const nextCursor = last ? end : cursors[place];
    const listed = tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
    return onPage(place === 0 ? undefined : cursors[place - 1], { tools: listed, nextCursor });
  });
  // The first page's rule matches every listing, so it comes last. The tools stand in the scenario too, to be callable.
  return { scenario: 1, tools: pages.flat(), rules: [...rules.slice(1), ...rules.slice(0, 1)] };
}
