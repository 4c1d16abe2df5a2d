/** Finds and reads the case that `replay` is given: a file, or a name of the library. */
import { existsSync, readFileSync } from 'node:fs';
import { listCases, parseEither, ScenarioError } from 'mcp-fixture-server';
import type { CaseFile } from 'mcp-fixture-server/case';
import { invariants } from '../catalogue/index.ts';
import { didYouMean } from './did-you-mean.ts';
import { UsageError } from './usage-error.ts';

/** A case and where it was found. */
export interface FoundCase {
  readonly file: CaseFile;
  readonly path: string;
}

/** The path of the case that is meant: a YAML file, a JSON file that begins as a case does, or a name of the library; else `undefined`. */
export async function casePath(what: string): Promise<string | undefined> {
  if (/\.ya?ml$/i.test(what)) return what;
  if (what.endsWith('.json')) return existsSync(what) && /^\s*\{\s*"case"\s*:/.test(readFileSync(what, 'utf8')) ? what : undefined;
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

function parsed(path: string): CaseFile {
  try {
    const either = parseEither(readFileSync(path, 'utf8'), path);
    if (either.kind === 'case') return either.case;
  } catch (error) {
    if (error instanceof ScenarioError) throw new UsageError(error.message, { cause: error });
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}; give a case file, or a name from mcp-fixture-server list`, { cause: error });
  }
  throw new UsageError(`${path} is a scenario, one server; a case has \`servers\` and \`steps\`: see mcp-fixture-server schema case`);
}

