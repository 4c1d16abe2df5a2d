/**
 * The end of a certification, for somebody who sees it for the first time.
 */
import { AREAS, type Area } from 'mcp-fixture-server/case';
import pc from 'picocolors';
import type { Verdict } from '../checks/check.ts';
import { driverErrorText } from '../runner/driver-error.ts';
import type { InvariantVerdict } from '../runner/result.ts';
import { baselineLines, fits } from './baseline-outcome.ts';
import { refusals, type Report } from './report.ts';

const WORDS: readonly (readonly [Verdict, string, (text: string) => string])[] = [
  ['pass', 'passed', pc.green],
  ['fail', 'failed', pc.red],
  ['inconclusive', 'inconclusive', pc.yellow],
  ['not-applicable', 'not applicable', pc.dim],
];

/** The area of an invariant. */
export function areaOf(one: InvariantVerdict): Area | undefined {
  const word = one.invariant.slice(0, one.invariant.lastIndexOf('-')).toLowerCase();
  return AREAS.find((area) => area === word);
}

/** `5 passed, 1 failed`: what is zero is left out. */
export function countsText(verdicts: readonly InvariantVerdict[]): string {
  return WORDS.flatMap(([verdict, word, colour]) => {
    const count = verdicts.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [colour(`${count} ${word}`)];
  }).join(', ');
}

/** The four counts, what is zero too: a certificate names each. */
function allCountsText({ verdicts }: Report): string {
  return WORDS.map(([verdict, word, colour]) => {
    const count = verdicts.filter((one) => one.verdict === verdict).length;
    const text = `${count} ${word}`;
    return count === 0 ? text : colour(text);
  }).join(', ');
}

/** `1 run`, `2 runs`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The real servers that something was run with. */
function realServers(report: Report): string[] {
  const ran = report.verdicts.flatMap((one) => one.runs).filter((run) => run.target !== 'fixture' && run.verdict !== 'not-applicable');
  return [...new Set(ran.map((run) => run.target))];
}

/** Lines of the summary. `reportFile` is where the report was written, as the reader reaches it. */
export function summaryLines(report: Report, reportFile: string): string[] {
  const { subject, suite } = report;
  const runs = report.verdicts.reduce((sum, one) => sum + one.runs.length, 0);
  const lines = [
    '',
    `${pc.bold(`${subject.name} ${subject.version}`)}, judged by ${suite.name} ${suite.version} at level ${report.levels.join(', ')}`,
    '',
  ];
  for (const area of AREAS) {
    const own = report.verdicts.filter((one) => areaOf(one) === area);
    if (own.length > 0) lines.push(`  ${area.padEnd(12)} ${countsText(own)}`);
  }
  lines.push('', `${counted(report.verdicts.length, 'invariant')}: ${allCountsText(report)} (${counted(runs, 'run')}, ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed})`);
  const { requirementSet: set } = report;
  lines.push(`Requirement set: ${set.name}, ${counted(set.invariants, 'invariant')}, MCP ${set.protocol}.`);
  const real = realServers(report);
  if (real.length > 0) lines.push(`Real servers: ${real.join(', ')}.`);
  const notAsked = report.featuresNotDeclared;
  lines.push(notAsked.length === 0 ? 'Features not declared: none.' : `Features not declared, so not asked for: ${notAsked.join(', ')}.`);
  if (report.killTable !== undefined) lines.push(`Kill table: ${counted(report.killTable.mutants, 'planted defect')}, and the checks that find them, in the report.`);
  const soft = report.verdicts.filter((one) => one.verdict === 'fail' && one.strength === 'SHOULD');
  if (soft.length > 0 && !report.strict) lines.push(`Recommendations not met (they refuse a certificate under --strict): ${soft.map((one) => one.invariant).join(', ')}.`);
  if (report.baseline !== undefined) lines.push(...baselineLines(report.baseline));
  lines.push(...endLines(report), `Every run is in ${reportFile}.`);
  return lines;
}

function endLines(report: Report): string[] {
  if (report.driverErrors.length > 0) {
    return [pc.red(pc.bold('NO VERDICT')) + ': the way to the subject is wrong, which says nothing about the bridge:', ...report.driverErrors.map((error) => `  ${driverErrorText(error)}`)];
  }
  if (report.certified) return [`${pc.green(pc.bold('CERTIFIED'))}: every statement above that applies to this bridge held.`];
  const refused = refusals(report);
  if (report.scope === 'part' && refused.length === 0 && report.counts.pass > 0) {
    return [`${pc.green(pc.bold('HELD'))}: every statement that was asked for held. This is a part; \`certify\` without \`--only\` judges the whole.`];
  }
  if (refused.length === 0) return [`${pc.yellow(pc.bold('NOT CERTIFIED'))}: nothing that was judged applies to this bridge.`];
  const failed = refused.filter((one) => one.verdict === 'fail');
  if (report.baseline !== undefined && failed.length > 0 && fits(report.baseline)) {
    return [`${pc.yellow(pc.bold('AS KNOWN'))}: nothing fails but what the baseline names, which is no certificate: ${failed.map((one) => one.invariant).join(', ')}.`];
  }
  const doubtful = refused.filter((one) => one.verdict !== 'fail');
  const list = [...failed, ...doubtful].map((one) => `  ${one.invariant} ${one.verdict === 'fail' ? 'failed' : 'is inconclusive'}: ${one.statement}`);
  return failed.length > 0
    ? [`${pc.red(pc.bold('NOT CERTIFIED'))}: the bridge breaks what is listed here; each text above ends with a command that replays it from this folder.`, ...list]
    : [`${pc.yellow(pc.bold('NOT CERTIFIED'))}: nothing failed, but these could not be decided; run them again on a quieter machine.`, ...list];
}
