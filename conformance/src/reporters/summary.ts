/**
 * The end of a certification, for somebody who sees it for the first time.
 */
import { AREAS, type Area } from 'mcp-fixture-server/case';
import pc from 'picocolors';
import type { Verdict } from '../checks/check.ts';
import type { InvariantVerdict } from '../runner/result.ts';
import { baselineLines } from './baseline-outcome.ts';
import { endLines } from './end-lines.ts';
import { nameAndVersion } from './printable.ts';
import { isDecided, type Report } from './report.ts';

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

/** `5 passed, 1 failed, 2 without a verdict`: what is zero is left out. */
function countsText(verdicts: readonly InvariantVerdict[]): string {
  const decided = verdicts.filter(isDecided);
  const counts = WORDS.flatMap(([verdict, word, colour]) => {
    const count = decided.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [colour(`${count} ${word}`)];
  });
  return [...counts, ...withoutText(verdicts.length - decided.length)].join(', ');
}

/** The four counts, what is zero too: a certificate names each. */
function allCountsText({ verdicts, counts }: Report): string {
  const decided = verdicts.filter(isDecided);
  const four = WORDS.map(([verdict, word, colour]) => {
    const count = decided.filter((one) => one.verdict === verdict).length;
    const text = `${count} ${word}`;
    return count === 0 ? text : colour(text);
  });
  return [...four, ...withoutText(counts.noVerdict ?? 0)].join(', ');
}

/** Those of which an error of the way to the subject cost a run. */
function withoutText(count: number): string[] {
  return count === 0 ? [] : [pc.red(`${count} without a verdict`)];
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
    `${pc.bold(nameAndVersion(subject))}, judged by ${suite.name} ${suite.version} at level ${report.levels.join(', ')}`,
    '',
  ];
  for (const area of AREAS) {
    const own = report.verdicts.filter((one) => areaOf(one) === area);
    if (own.length > 0) lines.push(`  ${area.padEnd(12)} ${countsText(own)}`);
  }
  lines.push('', `${counted(asked(report), 'invariant')}: ${allCountsText(report)} (${counted(runs, 'run')}, ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed})`);
  const { requirementSet: set } = report;
  lines.push(`Requirement set: ${set.name}, ${counted(set.invariants, 'invariant')}, MCP ${set.protocol}.`);
  const real = realServers(report);
  if (real.length > 0) lines.push(`Real servers: ${real.join(', ')}.`);
  const notAsked = report.featuresNotDeclared;
  lines.push(notAsked.length === 0 ? 'Features not declared: none.' : `Features not declared, so not asked for: ${notAsked.join(', ')}.`);
  if (report.killTable !== undefined) lines.push(`Kill table: ${counted(report.killTable.mutants, 'planted defect')}, and the statements they break, in the report.`);
  const soft = report.verdicts.filter((one) => one.verdict === 'fail' && one.strength === 'SHOULD');
  if (soft.length > 0 && !report.strict) lines.push(`Recommendations not met (they refuse a certificate under --strict): ${soft.map((one) => one.invariant).join(', ')}.`);
  if (report.baseline !== undefined) lines.push(...baselineLines(report.baseline));
  lines.push(...endLines(report), `Every run is in ${reportFile}.`);
  return lines;
}

/** How many invariants were asked for: also those of which an error cost every run. */
function asked({ counts }: Report): number {
  return counts.pass + counts.fail + counts.inconclusive + counts.notApplicable + (counts.noVerdict ?? 0);
}
