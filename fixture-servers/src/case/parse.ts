import { readDocument } from '../scenario/document.ts';
import { checkCase } from './check.ts';
import type { CaseFile } from './schema.ts';

/**
 * Parses a case from YAML or JSON and fills in its defaults. `file` names it in errors.
 * @throws ScenarioError with line, column, place, what is wrong and the fix.
 */
export function parseCase(text: string, file = 'case'): CaseFile {
  const { value, locate } = readDocument(text, file);
  return checkCase(value, file, locate);
}
