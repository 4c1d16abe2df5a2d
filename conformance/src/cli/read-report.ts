/**
 * Reads `report.json` again.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../reporters/report.ts';
import { reportFile } from '../reporters/report-schema.ts';
import { isFolder } from './saved-failure.ts';
import { UsageError } from './usage-error.ts';

/** Bytes of a report; one of a whole certification has 0.2 MB, with every run failed some MB. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** A report and where it lay. */
export interface ReadReport {
  readonly report: Report;
  readonly file: string;
  /** The reports folder, which the runs' paths are relative to. */
  readonly folder: string;
}

/**
 * Reads a report.
 * @param place the file, or the folder that `certify` wrote
 * @throws UsageError when there is none, or it is no report of this version.
 */
export function readReport(place: string): ReadReport {
  const file = isFolder(place) ? path.join(place, 'report.json') : place;
  if (!existsSync(file)) {
    throw new UsageError(`there is no report ${file}; give the folder that certify wrote, or the report.json in it`);
  }
  if (statSync(file).size > MAX_REPORT_BYTES) throw new UsageError(`${file} has more than ${MAX_REPORT_BYTES} bytes; that is no report of this suite`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as a report: ${error instanceof Error ? error.message : String(error)}; give the report.json that certify wrote`, { cause: error });
  }
  const read = reportFile.safeParse(json);
  if (read.success) return { report: read.data, file, folder: path.dirname(file) };
  const issue = read.error.issues[0];
  throw new UsageError(`${file} is no report of this suite: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}; give the report.json that certify wrote, or certify again`);
}
