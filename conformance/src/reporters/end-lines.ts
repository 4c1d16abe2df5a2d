/**
 * The last lines of a summary: what came of it in words, and what to do.
 */
import pc from 'picocolors';
import { driverErrorText, type DriverError } from '../runner/driver-error.ts';
import type { InvariantVerdict } from '../runner/result.ts';
import { fits, runName, type BaselineOutcome } from './baseline-outcome.ts';
import { printable, printableName } from './printable.ts';
import { refusals, type Report } from './report.ts';

/** So many runs of one error are named with their command. */
const MAX_LOST = 5;

/** Those lines. */
export function endLines(report: Report): string[] {
  const { baseline } = report;
  if (report.driverErrors.length > 0) {
    return [pc.red(pc.bold('NO VERDICT')) + ': the way to the subject is wrong, which says nothing about the bridge:', ...report.driverErrors.flatMap((error) => [`  ${printable(driverErrorText(error), '    ')}`, ...lostLines(error)]), ...begunLines(report.driverErrors)];
  }
  const differs = baseline === undefined || fits(baseline) ? [] : [differenceLine(baseline)];
  if (report.certified) return [`${pc.green(pc.bold('CERTIFIED'))}: every statement above that applies to this bridge held.`, ...differs];
  const refused = refusals(report);
  // What differs decides about the exit code, so nothing that sounds like the end of it stands beside.
  if (refused.length === 0 && differs.length > 0) return differs;
  if (report.scope === 'part' && refused.length === 0 && report.counts.pass > 0) {
    return [`${pc.green(pc.bold('HELD'))}: every statement that was asked for held. This is a part; \`certify\` without \`--only\` judges the whole.`];
  }
  if (refused.length === 0) return [`${pc.yellow(pc.bold('NOT CERTIFIED'))}: nothing that was judged applies to this bridge.`];
  const failed = refused.filter((one) => one.verdict === 'fail');
  if (baseline !== undefined && failed.length > 0 && fits(baseline)) {
    return [`${pc.yellow(pc.bold('AS KNOWN'))}: nothing fails but what the baseline names, which is no certificate: ${failed.map((one) => one.invariant).join(', ')}.`];
  }
  const doubtful = refused.filter((one) => one.verdict !== 'fail');
  const list = [...failed, ...doubtful].map((one) => `  ${one.invariant} ${one.verdict === 'fail' ? 'failed' : 'is inconclusive'}: ${one.statement}`);
  return failed.length > 0
    ? [`${pc.red(pc.bold('NOT CERTIFIED'))}: the bridge breaks what is listed here; each text above ends with a command that replays it from this folder.`, ...list, ...differs]
    : [`${pc.yellow(pc.bold('NOT CERTIFIED'))}: nothing failed, but these could not be decided; ${whatToDo(doubtful)}`, ...list, ...differs];
}

/** Whether it was the bridge or the way to it cannot be told from outside, but where to look can. */
function begunLines(errors: readonly DriverError[]): string[] {
  return errors.some(({ lost = [] }) => lost.length > 0)
    ? ['  A bridge that dies or blocks at something takes its driver along and looks the same: see what is named after "at", which was the last before.']
    : [];
}

/** Of the runs that were under way: at what, and how each is made again. */
function lostLines({ lost = [] }: DriverError): string[] {
  const shown = lost.slice(0, MAX_LOST).flatMap((one) => [
    `    ${runName(one)}${one.stimulus === undefined ? '' : `, at ${printableName(one.stimulus)}`}`, `      ${one.replay}`,
  ]);
  return lost.length > MAX_LOST ? [...shown, `    and ${lost.length - MAX_LOST} more, in the report`] : shown;
}

function differenceLine({ file, stale, changed, unknown }: BaselineOutcome): string {
  const parts = [[stale.length, 'stale'], [changed.length, 'changed'], [unknown.length, 'unknown']] as const;
  const what = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
  return `${pc.red(pc.bold('NOT AS KNOWN'))}: the baseline ${file} does not fit (${what}, listed above), which ends with 1; mend the file or give --fix.`;
}

/** Only what waited in vain may be due to a busy machine. */
function whatToDo(doubtful: readonly InvariantVerdict[]): string {
  const slow = doubtful.filter(({ runs }) => runs.some((run) => run.mayBeTime === true));
  if (slow.length === 0) return 'the text of each above says what was missing.';
  if (slow.length === doubtful.length) return 'run them again on a quieter machine.';
  return `the text of each above says what was missing. A quieter machine may decide ${slow.map(({ invariant }) => invariant).join(', ')}.`;
}
