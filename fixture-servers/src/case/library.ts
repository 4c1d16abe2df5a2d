/** The library of cases that comes with the package: `cases/<area>/<name>.yaml`. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readText } from '../scenario/read-text.ts';
import { suggest } from '../scenario/suggest.ts';
import { parseCase } from './parse.ts';
import { AREAS, type Area, type CaseFile } from './schema.ts';

/** Where the library is. */
export const LIBRARY_FOLDER = fileURLToPath(new URL('../../cases/', import.meta.url));

/** A case of the library. */
export interface LibraryCase {
  /** What it is called on the command line: its id. */
  readonly name: string;
  readonly area: Area;
  /** Its file. */
  readonly path: string;
}

/** No case of the library has this name. */
export class UnknownCaseError extends Error {
  override readonly name = 'UnknownCaseError';
  readonly code = 'unknown-case';
}

/** Every case of the library, by area and name. */
export async function listCases(): Promise<LibraryCase[]> {
  const areas = await Promise.all(AREAS.map((area) => listArea(area)));
  return areas.flat();
}

async function listArea(area: Area): Promise<LibraryCase[]> {
  const folder = join(LIBRARY_FOLDER, area);
  const files = await readdir(folder).catch(() => []);
  return files
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({ name: basename(file, '.yaml'), area, path: join(folder, file) }));
}

/** Finds a case by its id, in any case of letters. @throws UnknownCaseError */
export async function findCase(name: string): Promise<LibraryCase> {
  const cases = await listCases();
  const found = cases.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const near = suggest(name, cases.map((entry) => entry.name));
  throw new UnknownCaseError(
    `no case \`${name}\` in the library${near === undefined ? '' : `; did you mean \`${near}\`?`} (\`mcp-fixture-server list\` shows them)`,
  );
}

/** Loads a case of the library by its id, such as `R08`. @throws UnknownCaseError, ScenarioError */
export async function loadCase(name: string): Promise<CaseFile> {
  const { path } = await findCase(name);
  return parseCase(await readText(path), path);
}
