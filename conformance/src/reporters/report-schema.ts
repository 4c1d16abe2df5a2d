/**
 * `report.json` as it is read back: by `analyze` and `report`, and by a baseline's reader. What a later version adds is passed over.
 */
import { z } from 'zod';
import { FEATURES, LEVELS } from '../adapter/messages.ts';
import { baselineOutcome } from './baseline-outcome.ts';
import { invariantId } from './invariant-id.ts';
import { killTable } from './kill-table.ts';
import { DRIVER_ERROR_CODES } from '../runner/driver-error.ts';
import type { Report } from './report.ts';

/** The version a report names. */
export const REPORT_VERSION = 1;

const verdict = z.enum(['pass', 'fail', 'not-applicable', 'inconclusive']);
const count = z.int().min(0);

const target = z.enum(['fixture', 'server-everything', 'server-filesystem', 'sdk-http']);
const runName = z.object({ check: z.string(), target });
const lostRun = runName.extend({ stimulus: z.string().exactOptional(), histories: z.array(z.string()).exactOptional(), replay: z.string(), text: z.string() });
const driverError = z.object({ code: z.enum(DRIVER_ERROR_CODES), message: z.string(), runs: z.array(runName), lost: z.array(lostRun).exactOptional() });

const run = z.object({
  check: z.string(), invariant: invariantId, target, verdict,
  message: z.string(), seed: z.int(), path: z.string().exactOptional(), counterexample: z.string().exactOptional(), inputs: count.exactOptional(),
  shrinks: count.exactOptional(), labels: z.record(z.string(), count).exactOptional(), durationMs: z.number(), mayBeTime: z.boolean().exactOptional(), failure: z.string().exactOptional(),
  replay: z.string().exactOptional(), case: z.string().exactOptional(), histories: z.array(z.string()).exactOptional(), run: z.string().exactOptional(),
  runNotSaved: z.string().exactOptional(),
});

/** A report. */
export const reportFile: z.ZodType<Report> = z.object({
  report: z.literal(REPORT_VERSION),
  subject: z.object({ name: z.string(), version: z.string() }),
  suite: z.object({ name: z.string(), version: z.string() }),
  requirementSet: z.object({ name: z.string(), protocol: z.string(), invariants: count, fingerprint: z.string() }),
  certified: z.boolean(),
  scope: z.enum(['whole', 'part']),
  levels: z.array(z.enum(LEVELS)),
  strict: z.boolean(),
  seed: z.int(),
  startedAt: z.string(),
  durationMs: z.number(),
  counts: z.object({ pass: count, fail: count, notApplicable: count, inconclusive: count, noVerdict: count.exactOptional() }),
  featuresNotDeclared: z.array(z.enum(FEATURES)),
  driverErrors: z.array(driverError),
  verdicts: z.array(z.object({
    invariant: invariantId, level: z.enum(LEVELS), strength: z.enum(['MUST', 'SHOULD']), verdict, statement: z.string(), runs: z.array(run), lost: z.array(runName).exactOptional(),
  })),
  killTable: killTable.exactOptional(),
  baseline: baselineOutcome.exactOptional(),
}).meta({ title: 'MCP bridge conformance report' });
