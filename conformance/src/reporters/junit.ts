/**
 * A report as JUnit XML, for a CI that shows such: a suite for each area, a test for each run.
 */
import { AREAS } from 'mcp-fixture-server/case';
import junit, { type Builder, type TestSuite } from 'junit-report-builder';
import { driverErrorText } from '../runner/driver-error.ts';
import type { InvariantVerdict, RunSummary } from '../runner/result.ts';
import { isKnown, runName } from './baseline-outcome.ts';
import { outcomeText } from './markdown.ts';
import { nameAndVersion, printable } from './printable.ts';
import type { Report } from './report.ts';
import { requirementSetText } from './requirement-set.ts';
import { areaOf } from './summary.ts';

/** The whole document. */
export function junitReport(report: Report): string {
  const document = builder().name(xmlText(nameAndVersion(report.subject)));
  for (const area of AREAS) {
    const own = report.verdicts.filter((one) => areaOf(one) === area);
    if (own.length === 0) continue;
    const suite = document.testSuite().name(area).timestamp(new Date(report.startedAt));
    addProperties(suite, report);
    for (const one of own) for (const run of one.runs) addRun(suite, one, run, report);
  }
  if (report.driverErrors.length > 0) {
    const way = document.testSuite().name('way to the subject');
    addProperties(way, report);
    way.testCase().className('way to the subject').name('every reply fits the contract').error('no verdict', 'driver', xmlText(report.driverErrors.map((error) => printable(driverErrorText(error))).join('\n')));
  }
  return document.build();
}

/** What a certificate names, since the format has no other place for it. */
function addProperties(suite: TestSuite, report: Report): void {
  const { subject, counts } = report;
  const properties: Readonly<Record<string, string>> = {
    outcome: outcomeText(report), level: report.levels.join(', '), 'requirement set': requirementSetText(report.requirementSet),
    subject: nameAndVersion(subject), suite: `${report.suite.name} ${report.suite.version}`, seed: String(report.seed),
    strict: String(report.strict), passed: String(counts.pass), failed: String(counts.fail), inconclusive: String(counts.inconclusive),
    'not applicable': String(counts.notApplicable), ...(counts.noVerdict === undefined ? {} : { 'without a verdict': String(counts.noVerdict) }), 'features not declared': report.featuresNotDeclared.join(', '),
  };
  for (const [name, value] of Object.entries(properties)) suite.property(name, xmlText(value));
}

/** What refuses no certificate is no failure here either; it shows in the test's output. */
function addRun(suite: TestSuite, one: InvariantVerdict, run: RunSummary, { strict, baseline }: Report): void {
  const test = suite.testCase().className(one.invariant).name(xmlText(runName(run))).time(run.durationMs / 1000);
  const text = xmlText(run.failure ?? run.message);
  if (run.verdict === 'fail' && isKnown(baseline, run)) test.skipped().standardOutput(`A known failure, named by ${baseline?.file ?? ''}.\n${text}`);
  else if (run.verdict === 'fail' && (strict || one.strength === 'MUST')) test.failure(xmlText(run.message), one.strength).stacktrace(text);
  else if (run.verdict === 'fail') test.standardOutput(`A recommendation (SHOULD) that is not met.\n${text}`);
  else if (run.verdict === 'inconclusive') test.error(xmlText(run.message), 'inconclusive', text);
  else if (run.verdict === 'not-applicable') test.skipped().standardOutput(text);
}

/** Characters that XML 1.0 cannot hold are spelled out. */
export function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\P{Cc}]|[\uFFFE\uFFFF\p{Cs}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The library's types tell of a default export within the default export; what there is is the builder itself. */
function builder(): Builder {
  const loaded: unknown = junit;
  if (isBuilder(loaded)) return loaded.newBuilder();
  throw new Error('junit-report-builder exports no builder; install the version that the manifest of mcp-bridge-conformance names');
}

function isBuilder(value: unknown): value is Builder {
  return typeof value === 'object' && value !== null && 'newBuilder' in value;
}
