/**
 * `report.json`: what a certificate is made of.
 */
import { FEATURES, type Feature, type Level, type SubjectDescription } from '../adapter/messages.ts';
import type { Invariant } from '../catalogue/invariant.ts';
import type { Verdict } from '../checks/check.ts';
import { fits, type BaselineOutcome } from './baseline-outcome.ts';
import type { KillTable } from './kill-table.ts';
import { requirementSetOf, type RequirementSet } from './requirement-set.ts';
import type { DriverError } from '../runner/driver-error.ts';
import type { RunName } from '../runner/suite-settings.ts';
import { worstOf, type InvariantVerdict, type RunSummary } from '../runner/result.ts';

/** Counts of invariants, by their worst verdict. */
export interface Counts {
  readonly pass: number;
  readonly fail: number;
  readonly notApplicable: number;
  readonly inconclusive: number;
  /** Of which errors of the way to the subject cost a run, so that what the others say is not the whole; none of the above. */
  readonly noVerdict?: number;
}

/** A whole report. */
export interface Report {
  /** Version of this format. */
  readonly report: 1;
  readonly subject: { readonly name: string; readonly version: string };
  readonly suite: { readonly name: string; readonly version: string };
  /** What the subject was held to. */
  readonly requirementSet: RequirementSet;
  /** Whether every MUST that applied was passed and nothing is in doubt; with `strict` every SHOULD too. Never of a part. */
  readonly certified: boolean;
  /** `part`: only some checks were asked for (`--only`, `smoke`, `replay`), which is no certificate whatever they say. */
  readonly scope: 'whole' | 'part';
  readonly levels: readonly Level[];
  readonly strict: boolean;
  readonly seed: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly counts: Counts;
  readonly featuresNotDeclared: readonly Feature[];
  /** Errors of the way to the subject: with one of these there is no certificate and no verdict. */
  readonly driverErrors: readonly DriverError[];
  readonly verdicts: readonly InvariantVerdict[];
  /** The defects that the suite has been shown to find, of the invariants above. */
  readonly killTable?: KillTable;
  /** What the baseline said, when one was given. */
  readonly baseline?: BaselineOutcome;
}

/** What a report is made from. */
export interface ReportInput {
  readonly subject: Pick<SubjectDescription, 'name' | 'version' | 'features'>;
  readonly suite: { readonly name: string; readonly version: string };
  readonly invariants: readonly Invariant[];
  readonly runs: readonly RunSummary[];
  readonly levels: readonly Level[];
  readonly scope: Report['scope'];
  readonly strict: boolean;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly driverErrors: readonly DriverError[];
  readonly killTable?: KillTable | undefined;
  readonly baseline?: BaselineOutcome | undefined;
}

/** Whether the verdict of an invariant stands: a failure does whatever else was lost, anything better needs every run. */
export function isDecided(one: Pick<InvariantVerdict, 'verdict' | 'lost'>): boolean {
  return one.verdict === 'fail' || one.lost === undefined;
}

/** Adds the runs up. Invariants without any run are left out: they were not asked for, or errors cost every run. */
export function makeReport(input: ReportInput): Report {
  const lostRuns = input.driverErrors.flatMap(({ runs }) => runs);
  const lostOf = (id: string): RunName[] => lostRuns.filter(({ check }) => invariantOf(check) === id);
  const verdicts = input.invariants.flatMap((invariant): InvariantVerdict[] => {
    const runs = input.runs.filter((run) => run.invariant === invariant.id);
    if (runs.length === 0) return [];
    const { level, strength, statement } = invariant;
    const lost = lostOf(invariant.id);
    return [{ invariant: invariant.id, level, strength, verdict: worstOf(runs.map((run) => run.verdict)), statement, runs, ...(lost.length === 0 ? {} : { lost }) }];
  });
  const decided = verdicts.filter(isDecided);
  const count = (verdict: Verdict): number => decided.filter((one) => one.verdict === verdict).length;
  const without = new Set(lostRuns.map(({ check }) => invariantOf(check)));
  for (const one of decided) without.delete(one.invariant);
  return {
    report: 1,
    subject: { name: input.subject.name, version: input.subject.version },
    suite: input.suite,
    requirementSet: requirementSetOf(input.invariants),
    certified:
      input.scope === 'whole' &&
      input.driverErrors.length === 0 &&
      refusals({ verdicts, strict: input.strict }).length === 0 &&
      count('pass') > 0,
    scope: input.scope,
    levels: input.levels,
    strict: input.strict,
    seed: input.seed,
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    counts: { pass: count('pass'), fail: count('fail'), notApplicable: count('not-applicable'), inconclusive: count('inconclusive'), ...(without.size === 0 ? {} : { noVerdict: without.size }) },
    featuresNotDeclared: FEATURES.filter((feature) => !input.subject.features.includes(feature)),
    driverErrors: input.driverErrors,
    verdicts,
    ...(input.killTable === undefined ? {} : { killTable: partOf(input.killTable, verdicts) }),
    ...(input.baseline === undefined ? {} : { baseline: input.baseline }),
  };
}

/** The invariant of a check, by its id. */
function invariantOf(check: string): string {
  return check.split('/', 1)[0] ?? check;
}

/** The rows about invariants that were judged. */
function partOf(table: KillTable, verdicts: readonly InvariantVerdict[]): KillTable {
  const judged = new Set(verdicts.map((one) => one.invariant));
  const rows = table.rows.filter((row) => judged.has(row.kills));
  return { ...table, mutants: rows.length, rows };
}

/** The verdicts that refuse a certificate: every fail of a MUST, of a SHOULD only under `strict`, and every doubt. */
export function refusals({ verdicts, strict }: Pick<Report, 'verdicts' | 'strict'>): InvariantVerdict[] {
  return verdicts.filter(
    (one) => one.verdict === 'inconclusive' || (one.verdict === 'fail' && (strict || one.strength === 'MUST')),
  );
}

/** Exit codes of the command line (DESIGN.md §6). */
export const EXIT = { certified: 0, failures: 1, usage: 2, inconclusive: 3 } as const;

/** The exit code that a report stands for. With a baseline a failure that it knows is none, and what differs from it is one. */
export function exitCodeOf(report: Report): number {
  if (report.driverErrors.length > 0) return EXIT.usage;
  const { baseline } = report;
  const refused = refusals(report);
  const fails = baseline === undefined ? refused.some((one) => one.verdict === 'fail') : !fits(baseline);
  if (fails) return EXIT.failures;
  const judged = report.counts.pass + (baseline === undefined ? 0 : report.counts.fail);
  const doubt = baseline === undefined ? refused.length > 0 : hasDoubt(report);
  return judged === 0 || doubt ? EXIT.inconclusive : EXIT.certified;
}

/** Whether a run could not be decided, also beside one that failed and is known. */
function hasDoubt({ verdicts }: Report): boolean {
  return verdicts.some((one) => one.runs.some((run) => run.verdict === 'inconclusive'));
}
