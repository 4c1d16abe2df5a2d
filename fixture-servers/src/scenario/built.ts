import { ScenarioError, type ScenarioIssue } from './error.ts';
import type { Explained } from './explain.ts';
import type { Action, Scenario, ToolEntry, When } from './schema.ts';

interface Parts {
  readonly tools?: readonly ToolEntry[];
  readonly toolLists?: Readonly<Record<string, readonly ToolEntry[]>> | undefined;
  readonly rules: readonly { readonly when: When; readonly do: readonly Action[] }[];
}

/** What of a scenario this version does not perform yet, with its place. */
export function notBuilt(scenario: Parts): Explained[] {
  const found = unbuiltTools(scenario.tools ?? [], ['tools']);
  for (const [name, entries] of Object.entries(scenario.toolLists ?? {})) {
    found.push(...unbuiltTools(entries, ['toolLists', name]));
  }
  scenario.rules.forEach((rule, ruleIndex) => {
    rule.do.forEach((action, index) => {
      const path = ['rules', ruleIndex, 'do', index];
      if ('setTools' in action && 'tools' in action.setTools) {
        found.push(...unbuiltTools(action.setTools.tools, [...path, 'setTools', 'tools']));
      }
    });
  });
  return found;
}

function unbuiltTools(entries: readonly ToolEntry[], path: readonly (string | number)[]): Explained[] {
  return entries.flatMap((entry, index) =>
    'fromTrace' in entry
      ? [{ path: [...path, index], key: 'fromTrace', message: 'tools `fromTrace` come from a trace beside the file; give it with --tools-from <trace>, or write the tools out' }]
      : [],
  );
}

/**
 * Refuses a scenario that uses what this version does not perform yet: it would otherwise be ignored, and a case would
 * pass that tried nothing.
 * @throws ScenarioError `not-built`
 */
export function assertBuilt(scenario: Scenario, from = 'scenario'): void {
  const issues = notBuilt(scenario).map(
    ({ path, message }): ScenarioIssue => ({ code: 'not-built', path, message, line: undefined, column: undefined }),
  );
  const [first, ...rest] = issues;
  if (first !== undefined) throw new ScenarioError(from, [first, ...rest]);
}
