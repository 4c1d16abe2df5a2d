/** Writes a case as a file that a person reads and `parseCase` takes. */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { checkCase } from './check.ts';
import { parseCase } from './parse.ts';
import type { CaseInput } from './schema.ts';

/** Longest list or mapping that stands on one line, in characters. */
const LINE_WIDTH = 140;

/**
 * The text of a case. YAML where every text survives it, JSON, which YAML includes, where one does not.
 * @param comment lines that stand before it
 * @throws ScenarioError when the case is none, or is larger than a file may be
 */
export function formatCase(given: CaseInput, comment: readonly string[] = []): string {
  // Only what JSON knows: members that are absent are left out.
  const plain: CaseInput = JSON.parse(JSON.stringify(given));
  const due = checkCase(plain);
  const head = comment.map((line) => `# ${line}\n`).join('');
  const yaml = head + stringify(plain, { aliasDuplicateObjects: false, lineWidth: LINE_WIDTH });
  if (survives(yaml, due)) return yaml;
  const json = `${head}${JSON.stringify(plain, undefined, 1)}\n`;
  parseCase(json);
  return json;
}

function survives(text: string, due: unknown): boolean {
  try {
    // As it will be read from a file: half a character is lost there.
    return isDeepStrictEqual(parseCase(Buffer.from(text, 'utf8').toString('utf8')), due);
  } catch {
    return false;
  }
}
