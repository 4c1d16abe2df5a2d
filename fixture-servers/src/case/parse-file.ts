import { checkScenario, failWith } from '../scenario/check.ts';
import { readDocument } from '../scenario/document.ts';
import { readText } from '../scenario/read-text.ts';
import type { Scenario } from '../scenario/schema.ts';
import { checkCase } from './check.ts';
import type { CaseFile } from './schema.ts';

/** What a file holds. */
export type ParsedFile =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'case'; readonly case: CaseFile };

/** Parses text that is a scenario or a case, by its first key. @throws ScenarioError */
export function parseEither(text: string, file: string): ParsedFile {
  const { value, locate } = readDocument(text, file);
  const has = (key: string): boolean => typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  if (has('case')) return { kind: 'case', case: checkCase(value, file, locate) };
  if (!has('scenario')) {
    const message = 'neither a scenario nor a case: it needs `scenario: 1` or `case: 1`';
    failWith(file, 'invalid', [{ path: [], message }], locate);
  }
  return { kind: 'scenario', scenario: checkScenario(value, file, locate) };
}

/** Reads and parses a file. @throws ScenarioError */
export async function parseFile(path: string): Promise<ParsedFile> {
  return parseEither(await readText(path), path);
}
