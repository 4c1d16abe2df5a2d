import { parseFile } from '../case/parse-file.ts';
import { formatIssue, ScenarioError } from '../scenario/error.ts';
import { toolsOfTrace } from '../trace/as-scenario/traced-tools.ts';
import { resolveSource } from './source.ts';
import { UsageError } from './usage-error.ts';

/** What a lint found. Warnings are in neither number. */
export interface LintResult {
  /** Issues in what the files hold. */
  readonly wrong: number;
  /** Files that could not be read. */
  readonly unreadable: number;
}

/**
 * Checks files, or cases of the library by name, and says what is wrong. `toolsFrom` is the trace whose tools stand where
 * a file says `fromTrace`.
 * @throws TraceError when that trace is none
 */
export async function lint(sources: readonly string[], write: (line: string) => void, toolsFrom?: string): Promise<LintResult> {
  const tracedTools = toolsFrom === undefined ? undefined : await toolsOfTrace(toolsFrom);
  let wrong = 0;
  let unreadable = 0;
  for (const source of sources) {
    try {
      const parsed = await parseFile(await resolveSource(source), tracedTools);
      for (const warning of parsed.warnings) write(formatIssue(source, { ...warning, message: `warning: ${warning.message}` }));
      const count = parsed.warnings.length;
      write(`${source}: ${parsed.kind} is fine${count === 0 ? '' : `, with ${count} ${count === 1 ? 'warning' : 'warnings'}`}`);
    } catch (error) {
      if (error instanceof UsageError) {
        unreadable += 1;
        write(`${source}: cannot be read: ${error.message}; ${error.hint}`);
      } else if (error instanceof ScenarioError) {
        if (error.code === 'unreadable') unreadable += 1;
        else wrong += error.issues.length;
        for (const issue of error.issues) write(formatIssue(error.file, issue));
      } else throw error;
    }
  }
  return { wrong, unreadable };
}
