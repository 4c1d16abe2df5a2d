import { parseFile } from '../case/parse-file.ts';
import { formatIssue, ScenarioError } from '../scenario/error.ts';

/** Checks files and says what is wrong. @returns how many issues there are. */
export async function lint(files: readonly string[], write: (line: string) => void): Promise<number> {
  let issues = 0;
  for (const file of files) {
    try {
      const parsed = await parseFile(file);
      write(`${file}: ${parsed.kind} is fine`);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      issues += error.issues.length;
      for (const issue of error.issues) write(formatIssue(error.file, issue));
    }
  }
  return issues;
}
