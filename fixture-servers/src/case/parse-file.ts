import { servedByNone } from '../scenario/carrier.ts';
import { checkScenario, failWith, issuesOf, type Locate } from '../scenario/check.ts';
import { readDocument } from '../scenario/document.ts';
import { doubts } from '../scenario/doubts.ts';
import type { ScenarioIssue } from '../scenario/error.ts';
import { shown, type Explained } from '../scenario/explain.ts';
import { readText } from '../scenario/read-text.ts';
import type { Action, Scenario, ToolEntry } from '../scenario/schema.ts';
import { fillTracedTools } from '../trace/as-scenario/fill-traced-tools.ts';
import { checkCase } from './check.ts';
import type { CaseFile } from './schema.ts';

/** What a file holds. */
export type ParsedFile = (
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'case'; readonly case: CaseFile }
) & {
  /** What can hardly be meant: rules that never fire. */
  readonly warnings: readonly ScenarioIssue[];
  /** Finds a place of the document in its text, for what is found out later. */
  readonly locate: Locate;
};

/**
 * Parses text that is a scenario or a case, by its first key. `tracedTools` stand where the file says `fromTrace`.
 * @throws ScenarioError
 */
export function parseEither(text: string, file: string, tracedTools?: readonly ToolEntry[]): ParsedFile {
  const { value: written, locate } = readDocument(text, file);
  const value = tracedTools === undefined ? written : fillTracedTools(written, tracedTools);
  const has = (key: string): boolean => typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  if (has('case')) {
    const checked = checkCase(value, file, locate);
    return { kind: 'case', case: checked, warnings: issuesOf('doubtful', caseDoubts(checked), locate), locate };
  }
  if (!has('scenario')) {
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
    const message = isMapping
      ? 'neither a scenario nor a case: it needs `scenario: 1` or `case: 1`'
      : `is ${shown(value)}, must be a mapping that begins with \`scenario: 1\` or \`case: 1\``;
    failWith(file, 'invalid', [{ path: [], message }], locate);
  }
  const scenario = checkScenario(value, file, locate);
  return { kind: 'scenario', scenario, warnings: issuesOf('doubtful', [...doubts(scenario), ...servedByNone(scenario)], locate), locate };
}

/** Reads and parses a file. @throws ScenarioError */
export async function parseFile(path: string, tracedTools?: readonly ToolEntry[]): Promise<ParsedFile> {
  return parseEither(await readText(path), path, tracedTools);
}

/** The doubts about each server's scenario; a step may give it other tools. */
function caseDoubts(file: CaseFile): Explained[] {
  return Object.entries(file.servers).flatMap(([name, { scenario }]) => {
    const more = file.steps.flatMap((step): Action[] => {
      if (!('advance' in step) || step.advance.server !== name) return [];
      if ('program' in step.advance) return [{ setTools: { tools: step.advance.program.tools } }];
      return 'do' in step.advance ? step.advance.do : [];
    });
    return doubts(scenario, more).map((doubt) => ({ ...doubt, path: ['servers', name, 'scenario', ...doubt.path] }));
  });
}
