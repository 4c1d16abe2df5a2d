/** Finds and reads the case that `replay` is given: a file, or a name of the library. */
import { existsSync, readFileSync } from 'node:fs';
import { listCases, parseEither, ScenarioError } from 'mcp-fixture-server';
import type { CaseFile } from 'mcp-fixture-server/case';
import type { SavedHistory } from '../history/schema.ts';
import { invariants } from '../catalogue/index.ts';
import { didYouMean } from './did-you-mean.ts';
import { isFolder, readSavedFailure } from './saved-failure.ts';
import { UsageError } from './usage-error.ts';

/** A case and where it was found. */
export interface FoundCase {
  readonly file: CaseFile;
  readonly path: string;
}

/** The path of the case that is meant: a YAML file, a JSON file that begins as a case does or holds one as a history does, or a name of the library; else `undefined`. */
export async function casePath(what: string): Promise<string | undefined> {
  if (/\.ya?ml$/i.test(what)) return what;
  if (what.endsWith('.json')) {
    if (!existsSync(what) || isFolder(what)) return undefined;
    return /^\s*\{\s*"case"\s*:/.test(readFileSync(what, 'utf8')) || replayedCase(what) !== undefined ? what : undefined;
  }
  const known = (await listCases()).find(({ name }) => name.toLowerCase() === what.toLowerCase());
  return known?.path;
}

/**
 * Reads a case.
 * @throws UsageError for a file that is none, or that names what the catalogue has not
 */
export function readCase(path: string): CaseFile {
  const file = parsed(path);
  const known = invariants.map(({ id }): string => id);
  const unknown = file.judge.filter((id) => !known.includes(id));
  if (unknown.length === 0) return file;
  throw new UsageError(`${path}: judge names ${unknown.join(', ')}, and the catalogue has no such invariant; ${didYouMean(unknown, known)}`);
}

/**
 * The text of a case: of the file itself, or of the case that a saved history was made by.
 * @throws UsageError when it cannot be read
 */
export function caseText(path: string): string {
  try {
    return replayedCase(path)?.case ?? readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}; give a case file, or a name from mcp-fixture-server list`, { cause: error });
  }
}

/** The saved history that a file is, where it was made by replaying a case; `undefined` of whatever else. */
export function replayedCase(path: string): Omit<SavedHistory, 'events'> | undefined {
  if (!path.endsWith('.json')) return undefined;
  try {
    const saved = readSavedFailure(path);
    return saved.case === undefined ? undefined : saved;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function parsed(path: string): CaseFile {
  try {
    const either = parseEither(caseText(path), path);
    if (either.kind === 'case') return either.case;
  } catch (error) {
    if (error instanceof ScenarioError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  throw new UsageError(`${path} is a scenario, one server; a case has \`servers\` and \`steps\`: see mcp-fixture-server schema case`);
}
