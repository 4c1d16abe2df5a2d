/**
 * Reads a saved run. Reports are passed around, so a stranger's may say anything: a path that leaves the folder is refused,
 * and what unpacks to more than a run may have is not unpacked.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseExact } from '../history/exact-json.ts';
import { savedRun, type SavedRun } from '../history/saved-run.ts';
import type { Report } from '../reporters/report.ts';
import { MAX_RUN_BYTES } from '../reporters/save-run.ts';
import type { RunSummary } from '../runner/result.ts';

/** A saved run, or why there is none to judge. */
export type ReadRun = { readonly run: SavedRun } | { readonly why: string };

/** Reads the saved run of one line of a report. Never throws. */
export function readRun(line: RunSummary, report: Report, folder: string): ReadRun {
  if (line.run === undefined) return { why: line.runNotSaved ?? 'the report names no saved run' };
  const inside = path.normalize(line.run);
  if (path.isAbsolute(inside) || inside.split(path.sep)[0] === '..') return { why: `${line.run} leaves the reports folder` };
  let content: unknown;
  try {
    content = parseExact(gunzipSync(readFileSync(path.join(folder, inside)), { maxOutputLength: MAX_RUN_BYTES }).toString('utf8'));
  } catch (error) {
    return { why: `${line.run} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const read = savedRun.safeParse(content);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { why: `${line.run} is no saved run of this version: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
  }
  const run = read.data;
  if (run.check !== line.check || run.target !== line.target || run.seed !== line.seed || run.startedAt !== report.startedAt) {
    return { why: `${line.run} belongs to another certification (${run.check} on ${run.target}, seed ${run.seed}, begun ${run.startedAt})` };
  }
  return { run };
}
