/**
 * A report as Markdown, to paste into an issue or a pull request.
 */
import { AREAS } from 'mcp-fixture-server/case';
import { driverErrorText } from '../runner/driver-error.ts';
import type { InvariantVerdict, RunSummary } from '../runner/result.ts';
import { baselineLines, fits, runName } from './baseline-outcome.ts';
import { inputText } from './input-text.ts';
import type { KillTable } from './kill-table.ts';
import { fenced, folded, inlineCode, table } from './markdown-text.ts';
import { nameAndVersion, printable } from './printable.ts';
import { isDecided, refusals, type Counts, type Report } from './report.ts';
import { requirementSetText } from './requirement-set.ts';
import { areaOf } from './summary.ts';

/** Characters for the texts of failures: an issue holds 65 536 in all. Failures beyond are named in one line each. */
const MAX_FAILURE_CHARACTERS = 45_000;

/** The whole text. */
export function markdownReport(report: Report): string {
  const { subject } = report;
  const lines = [
    `# ${inlineCode(nameAndVersion(subject))}: ${outcomeText(report)}`, '',
    ...headerTable(report), '', ...areaTable(report), '',
    ...(report.baseline === undefined ? [] : ['## Baseline', '', ...fenced(baselineLines(report.baseline).join('\n')), '']),
    ...failureSection(report),
    ...(report.killTable === undefined ? [] : killTableSection(report.killTable)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What came of it, in a few words. */
export function outcomeText(report: Report): string {
  if (report.driverErrors.length > 0) return 'no verdict';
  if (report.certified) return 'certified';
  if (report.baseline !== undefined && report.baseline.known.length > 0 && fits(report.baseline)) return 'not certified; nothing fails but what the baseline names';
  if (report.scope === 'part' && refusals(report).length === 0 && report.counts.pass > 0) return 'held, in a part that is no certificate';
  return 'not certified';
}

/** `110 passed, 3 failed, 1 inconclusive, 4 not applicable`: always all four. */
function countsText({ pass, fail, inconclusive, notApplicable, noVerdict = 0 }: Counts): string {
  return `${pass} passed, ${fail} failed, ${inconclusive} inconclusive, ${notApplicable} not applicable${noVerdict === 0 ? '' : `, ${noVerdict} without a verdict`}`;
}

function headerTable(report: Report): string[] {
  const { subject, suite } = report;
  return table(['certificate', ''], [
    ['outcome', `**${outcomeText(report)}**${report.strict ? ', strict' : ''}`],
    ['level', report.levels.join(', ')],
    ['requirement set', requirementSetText(report.requirementSet)],
    ['subject', inlineCode(nameAndVersion(subject))],
    ['suite', inlineCode(nameAndVersion(suite))],
    ['seed', String(report.seed)],
    ['invariants', countsText(report.counts)],
    ['features not declared', report.featuresNotDeclared.length === 0 ? 'none' : report.featuresNotDeclared.join(', ')],
    ['run', `${report.startedAt}, ${(report.durationMs / 1000).toFixed(1)} s`],
  ]);
}

function areaTable({ verdicts }: Report): string[] {
  const rows = AREAS.flatMap((area) => {
    const own = verdicts.filter((one) => areaOf(one) === area);
    const count = (verdict: string): string => String(own.filter((one) => isDecided(one) && one.verdict === verdict).length);
    return own.length === 0 ? [] : [[area, count('pass'), count('fail'), count('inconclusive'), count('not-applicable')]];
  });
  return table(['area', 'passed', 'failed', 'inconclusive', 'not applicable'], rows);
}

function failureSection(report: Report): string[] {
  if (report.driverErrors.length > 0) {
    return ['## No verdict', '', 'The way to the subject is wrong, which says nothing about the bridge.', '', ...fenced(report.driverErrors.map((error) => printable(driverErrorText(error))).join('\n')), '', ...lostSection(report)];
  }
  const lines: string[] = [];
  const short: string[] = [];
  let left = MAX_FAILURE_CHARACTERS;
  for (const [one, run] of report.verdicts.flatMap((verdict) => verdict.runs.map((each) => [verdict, each] as const))) {
    if (run.failure === undefined) continue;
    const text = failureLines(one, run);
    left -= text.join('\n').length;
    if (left >= 0) lines.push(...text);
    else short.push(`- ${one.invariant} (${inlineCode(run.check)}): ${run.verdict === 'fail' ? 'failed' : run.verdict}${run.replay === undefined ? '' : `; ${inlineCode(run.replay)}`}`);
  }
  if (lines.length + short.length === 0) return [];
  return ['## What did not hold', '', ...lines, ...(short.length === 0 ? [] : ['And, without their texts:', '', ...short, ''])];
}

/** What was seen of the runs that were under way, folded away. */
function lostSection(report: Report): string[] {
  let left = MAX_FAILURE_CHARACTERS;
  return report.driverErrors.flatMap(({ lost = [] }) => lost).flatMap((one) => {
    const lines = [`${inlineCode(runName(one))}:`, '', ...folded('what happened', fenced(one.text)), ''];
    left -= lines.join('\n').length;
    return left < 0 ? [] : lines;
  });
}

function failureLines({ invariant, statement, level, strength }: InvariantVerdict, run: RunSummary): string[] {
  return [
    `### ${invariant} ${run.verdict === 'fail' ? 'failed' : 'is inconclusive'}`, '',
    `${statement} (${level}, ${strength}; check ${inlineCode(run.check)} on ${run.target})`, '',
    ...fenced(printable(run.message)), '',
    ...(run.counterexample === undefined ? [] : [`The smallest input that was found (seed ${run.seed}, path ${inlineCode(run.path ?? '')}):`, '', ...fenced(inputText(run.counterexample)), '']),
    ...(run.replay === undefined ? [] : ['Replay it with:', '', ...fenced(run.replay, 'sh'), '']),
    ...folded('what happened', fenced(run.failure ?? '')), '',
  ];
}

function killTableSection({ rows }: KillTable): string[] {
  const byInvariant = new Map<string, string[]>();
  for (const { kills, mutant, kind } of rows) {
    byInvariant.set(kills, [...(byInvariant.get(kills) ?? []), `${mutant.slice(mutant.indexOf('/') + 1)} (${kind})`]);
  }
  const cells = [...byInvariant].map(([invariant, defects]) => [invariant, defects.join(', ')]);
  const what = `Kill table: ${rows.length} planted ${rows.length === 1 ? 'defect that a check' : 'defects, each of which a check'} of its invariant finds`;
  return folded(what, table(['invariant', 'defects that its checks find'], cells));
}
