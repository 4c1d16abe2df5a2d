/**
 * `report`: a saved report in another form.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../reporters/report.ts';
import { junitReport } from '../reporters/junit.ts';
import { markdownReport } from '../reporters/markdown.ts';
import type { Output } from './progress.ts';
import { readReport } from './read-report.ts';
import { UsageError } from './usage-error.ts';

/** The forms a report can be had in. */
export const FORMATS = ['json', 'junit', 'markdown'] as const;
/** One of them. */
export type ReportFormat = (typeof FORMATS)[number];

const WRITERS: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: (report) => `${junitReport(report).trimEnd()}\n`,
  markdown: markdownReport,
};

/**
 * Prints a report, or writes it to a file.
 * @throws UsageError when there is no report, or the file cannot be written.
 */
export async function printReport(place: string, format: ReportFormat, file: string | undefined, out: Output): Promise<void> {
  const text = WRITERS[format](readReport(place).report);
  if (file === undefined) {
    out.write(text);
    return;
  }
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`-o ${file}: it cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
