import { z } from 'zod';
import { action, type Action } from './actions.ts';
import { notBuilt } from './built.ts';
import { ScenarioError, type ScenarioErrorCode, type ScenarioIssue } from './error.ts';
import { explain, type Explained } from './explain.ts';
import { scenario, type Scenario } from './schema.ts';
import { sense } from './sense.ts';

/** Where in a text a place of the document is. */
export type Locate = (issue: Explained) => { line: number; column: number } | undefined;

const nowhere: Locate = () => undefined;

/** Fails with every issue that was found, in the order they stand in the text. */
export function failWith(file: string, code: ScenarioErrorCode, found: readonly Explained[], locate: Locate = nowhere): void {
  const [first, ...rest] = issuesOf(code, found, locate);
  if (first !== undefined) throw new ScenarioError(file, [first, ...rest]);
}

/** What was found as issues, in the order they stand in the text. */
export function issuesOf(code: ScenarioErrorCode, found: readonly Explained[], locate: Locate = nowhere): ScenarioIssue[] {
  const issues = found.map((issue): ScenarioIssue => {
    const at = locate(issue);
    return { code, message: issue.message, path: issue.path, line: at?.line, column: at?.column };
  });
  return issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Checks a value against a schema. @throws ScenarioError */
export function checkAgainst<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  file: string,
  locate: Locate = nowhere,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  failWith(file, 'invalid', explain(schema, value, parsed.error), locate);
  throw parsed.error;
}

/**
 * Checks a scenario given as a value and fills in its defaults. `from` says in errors where it comes from.
 * @throws ScenarioError `invalid` for what the language does not have or what cannot work, `not-built` for what this
 * version does not perform.
 */
export function checkScenario(value: unknown, from = 'scenario', locate: Locate = nowhere): Scenario {
  const checked = checkAgainst(scenario, value, from, locate);
  failWith(from, 'invalid', sense(checked), locate);
  failWith(from, 'not-built', notBuilt(checked), locate);
  return checked;
}

const actionList = z.array(action).min(1).max(1000);

/** Checks actions for the control channel. @throws ScenarioError */
export function checkActions(value: unknown, from = 'actions'): Action[] {
  const checked = checkAgainst(actionList, value, from);
  failWith(from, 'not-built', notBuilt({ rules: [{ when: {}, do: checked }] }));
  return checked;
}
