/**
 * A saved history as the argument of `replay`.
 */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { savedHistory, type SavedHistory } from '../history/schema.ts';
import { UsageError } from './usage-error.ts';

/** Whether this is a folder. */
export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Reads what a replay needs.
 * @throws UsageError when the file is no saved history.
 */
export function readSavedFailure(file: string): Omit<SavedHistory, 'events'> {
  if (isFolder(file)) throw new UsageError(`${file} is a folder; give a file from reports/histories, or the id of a check`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read as a saved history: ${why}; give a file from reports/histories`);
  }
  const head = savedHistory.extend({ events: z.array(z.unknown()) }).safeParse(json);
  if (!head.success) {
    const issue = head.error.issues[0];
    throw new UsageError(`${file} is no saved history: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}; give a file from reports/histories`);
  }
  const { events: _events, ...rest } = head.data;
  return rest;
}
