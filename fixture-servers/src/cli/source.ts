import { accessSync } from 'node:fs';
import { findCase, UnknownCaseError } from '../case/library.ts';
import { UsageError } from './usage-error.ts';

const HINT = 'give the path of a scenario or case, or a name from `mcp-fixture-server list`';

/** The path of a file if there is one, else of a case of the library. @throws UsageError when there is neither. */
export async function resolveSource(source: string): Promise<string> {
  try {
    accessSync(source);
    return source;
  } catch {
    // No such file: perhaps a name.
  }
  if (/[./\\]/.test(source)) throw new UsageError(`there is no file ${source}`, HINT);
  try {
    return (await findCase(source)).path;
  } catch (error) {
    if (!(error instanceof UnknownCaseError)) throw error;
    throw new UsageError(error.message, HINT);
  }
}
