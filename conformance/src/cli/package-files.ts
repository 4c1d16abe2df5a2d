/**
 * Generated files that this package carries.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { killTable, type KillTable } from '../reporters/kill-table.ts';
import { PACKAGE_DIR } from './package-paths.ts';

/** The kill table; nothing where the file is missing, since no verdict rests on it. */
export function readKillTable(): KillTable | undefined {
  try {
    const read = killTable.safeParse(JSON.parse(readFileSync(path.join(PACKAGE_DIR, 'kill-table.json'), 'utf8')));
    return read.data;
  } catch {
    return undefined;
  }
}
