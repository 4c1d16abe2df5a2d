import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/adapter/messages.ts';
import type { Verdict } from '../../src/checks/check.ts';
import { reportFile } from '../../src/reporters/report-schema.ts';
import { markdownReport } from '../../src/reporters/markdown.ts';
import { exitCodeOf, type Report } from '../../src/reporters/report.ts';
import { summaryLines as colouredLines } from '../../src/reporters/summary.ts';
import { worstOf, type RunSummary } from '../../src/runner/result.ts';
import { fakeDescription } from '../support/fake-adapter.ts';
import { baselineOf, driverError, failedRun, reportOf, runWith } from '../support/reports.ts';

/** Without colours, which depend on where the tests run: a terminal and CI have them. */
const summaryLines = (report: Report, file: string): string[] => colouredLines(report, file).map((line) => stripVTControlCharacters(line));

describe('the verdict of an invariant', () => {
  it.each<[Verdict[], Verdict]>([
    [['pass', 'fail', 'inconclusive', 'not-applicable'], 'fail'],
    [['pass', 'inconclusive'], 'inconclusive'],
    [['pass', 'not-applicable'], 'pass'],
    [['not-applicable'], 'not-applicable'],
  ])('over runs %j is %s', (verdicts, worst) => {
    expect(worstOf(verdicts)).toBe(worst);
  });
});

describe('a report', () => {
  it('has the shape that was promised', () => {
    const report = reportOf([runWith('pass'), runWith('fail', 'HOST-999/b')]);
    expect(report).toMatchObject({
      subject: { name: 'fake', version: '0.0.0' },
      counts: { pass: 0, fail: 1, notApplicable: 0, inconclusive: 0 },
      verdicts: [{ invariant: 'HOST-999', level: 'core', verdict: 'fail' }],
      certified: false,
    });
    expect(report.featuresNotDeclared).toContain('reconnect');
  });

  it.each<[string, Report, number]>([
    ['0 when all passed', reportOf([runWith('pass')]), 0],
    ['1 when a MUST failed', reportOf([runWith('fail')]), 1],
    ['3 when a SHOULD failed and nothing else was judged', reportOf([runWith('fail')], { strength: 'SHOULD' }), 3],
    ['1 when a SHOULD failed under strict', reportOf([runWith('fail')], { strength: 'SHOULD', strict: true }), 1],
    ['3 when something is in doubt', reportOf([runWith('inconclusive')]), 3],
    ['3 when nothing applied', reportOf([runWith('not-applicable')]), 3],
    ['2 when the way to the subject is wrong, whatever else', reportOf([runWith('fail')], { driverErrors: [driverError('x')] }), 2],
    ['0 when nothing fails but what the baseline knows', reportOf([failedRun], { baseline: baselineOf({ known: [failedRun] }) }), 0],
    ['0 when the baseline did not fit and was rewritten', reportOf([failedRun], { baseline: baselineOf({ fixed: true, unknown: [failedRun] }) }), 0],
    ['1 when the baseline knows a failure that is none any more', reportOf([runWith('pass')], { baseline: baselineOf({ stale: [{ check: 'HOST-999', at: 'known.yaml:3', expected: 'x' }] }) }), 1],
    ['1 when a known failure says something else', reportOf([failedRun], { baseline: baselineOf({ changed: [{ ...failedRun, at: 'known.yaml:3', expected: 'x' }] }) }), 1],
    ['1 when a failure is unknown to the baseline', reportOf([failedRun], { baseline: baselineOf({ unknown: [failedRun] }) }), 1],
    ['3 when something is in doubt beside what the baseline knows', reportOf([failedRun, runWith('inconclusive', 'HOST-999/b')], { baseline: baselineOf({ known: [failedRun] }) }), 3],
  ])('has the exit code %s', (_what, report, code) => {
    expect(exitCodeOf(report)).toBe(code);
  });
});

describe('a report that was written', () => {
  it('is read again as it was, and what a later version adds is passed over', () => {
    const report = reportOf([failedRun, runWith('pass', 'HOST-999/b')], { baseline: baselineOf({ known: [failedRun] }) });
    const later = { ...JSON.parse(JSON.stringify(report)), later: true };
    expect(reportFile.parse(later)).toEqual(report);
    expect(reportFile.safeParse({ ...later, report: 2 }).success).toBe(false);
  });
});

describe('a part of the suite', () => {
  it('is no certificate, however green, and says so', () => {
    const report = reportOf([runWith('pass')], { scope: 'part' });
    expect(report).toMatchObject({ certified: false, scope: 'part' });
    expect(reportOf([runWith('pass')])).toMatchObject({ certified: true, scope: 'whole' });
    const text = summaryLines(report, 'r').join('\n');
    expect(text).toMatch(/HELD.*a part/);
    expect(text).not.toContain('CERTIFIED');
    expect(exitCodeOf(report)).toBe(0);
  });
});

const textOf = (...runs: RunSummary[]): string => summaryLines(reportOf(runs), 'r').join('\n');

describe('the summary', () => {
  it('counts one invariant and one run in the singular, and more in the plural', () => {
    expect(summaryLines(reportOf([runWith('fail')]), 'r').join('\n')).toMatch(/^1 invariant: 0 passed, 1 failed, 0 inconclusive, 0 not applicable \(1 run, /m);
    expect(summaryLines(reportOf([runWith('fail'), runWith('pass', 'HOST-999/b')]), 'r').join('\n')).toMatch(/^1 invariant: 0 passed, 1 failed, 0 inconclusive, 0 not applicable \(2 runs, /m);
    expect(summaryLines(reportOf([]), 'r').join('\n')).toMatch(/^0 invariants: 0 passed, 0 failed, 0 inconclusive, 0 not applicable \(0 runs, /m);
  });

  it('names what a certificate has to name: level, requirement set, versions, seed, four counts and every feature not declared', () => {
    const text = summaryLines(reportOf([runWith('pass')]), 'r').join('\n');
    for (const part of ['fake 0.0.0', 'suite 1', 'level core', 'Requirement set: mcp-bridge-1, 1 invariant, MCP 2025-11-25.', '1 passed, 0 failed, 0 inconclusive, 0 not applicable', 'seed 1']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`Features not declared, so not asked for: ${FEATURES.join(', ')}.`);
  });

  it('names the real servers that something was run with, and no other', () => {
    const withTargets = [
      runWith('pass'), { ...runWith('pass'), target: 'server-everything' as const }, { ...runWith('fail', 'HOST-999/b'), target: 'server-everything' as const },
      { ...runWith('pass'), target: 'server-filesystem' as const }, { ...runWith('not-applicable'), target: 'sdk-http' as const },
    ];
    expect(summaryLines(reportOf(withTargets), 'r')).toContain('Real servers: server-everything, server-filesystem.');
    expect(summaryLines(reportOf([runWith('pass')]), 'r').join('\n')).not.toContain('Real servers');
  });

  it('says what differs from the baseline and how to mend it, and what is only as known', () => {
    const differs = summaryLines(reportOf([failedRun], { baseline: baselineOf({ unknown: [failedRun], stale: [{ check: 'HOST-999/z', at: 'known.yaml:3', expected: 'x' }] }) }), 'r').join('\n');
    expect(differs).toContain('Baseline known.yaml: 0 known, 1 stale, 0 changed, 1 unknown.');
    expect(differs).toMatch(/stale {4}known\.yaml:3: HOST-999\/z does not fail any more[^]*unknown {2}HOST-999\/a: it broke[^]*With --fix[^]*NOT CERTIFIED/);
    const known = summaryLines(reportOf([failedRun], { baseline: baselineOf({ known: [failedRun] }) }), 'r').join('\n');
    expect(known).toMatch(/AS KNOWN: .*no certificate: HOST-999\./);
  });

  it('counts no invariant as better than failed of which an error of the way cost a run', () => {
    const lost = driverError('it died');
    const report = reportOf([{ ...runWith('not-applicable'), target: 'sdk-http' }], { driverErrors: [lost] });
    expect(report.counts).toEqual({ pass: 0, fail: 0, notApplicable: 0, inconclusive: 0, noVerdict: 1 });
    expect(report.verdicts[0]?.lost).toEqual(lost.runs);
    const text = summaryLines(report, 'r').join('\n');
    expect(text).toMatch(/^ {2}host {9}1 without a verdict$/m);
    expect(text).toMatch(/^1 invariant: 0 passed, 0 failed, 0 inconclusive, 0 not applicable, 1 without a verdict \(1 run, /m);
    expect(reportFile.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    // Also where every run was lost, and not where one failed all the same.
    expect(reportOf([], { driverErrors: [lost] }).counts).toMatchObject({ noVerdict: 1 });
    expect(reportOf([runWith('fail', 'HOST-999/b')], { driverErrors: [lost] }).counts).toEqual({ pass: 0, fail: 1, notApplicable: 0, inconclusive: 0 });
  });

  it('speaks of a quieter machine only where time may be the reason', () => {
    expect(textOf({ ...runWith('inconclusive'), mayBeTime: true })).toMatch(/could not be decided; run them again on a quieter machine\./);
    expect(textOf({ ...runWith('inconclusive'), mayBeTime: false })).toMatch(/could not be decided; the text of each above says what was missing\.$/m);
  });

  it('ends with the baseline where that does not fit, whatever else held', () => {
    const stale = baselineOf({ stale: [{ check: 'HOST-999', at: 'known.yaml:3', expected: 'x' }] });
    expect(summaryLines(reportOf([runWith('pass')], { baseline: stale, scope: 'part' }), 'r').at(-2)).toMatch(/^NOT AS KNOWN: the baseline known\.yaml does not fit \(1 stale, listed above\), which ends with 1; /);
    expect(summaryLines(reportOf([runWith('pass')], { baseline: stale }), 'r').slice(-3, -1)).toEqual([expect.stringMatching(/^CERTIFIED/), expect.stringMatching(/^NOT AS KNOWN/)]);
  });

  it('prints names, versions and messages of a subject bounded, and as nothing but text', () => {
    const subject = { ...fakeDescription, name: `\u001B[2Jevil\n\nCERTIFIED: yes${'n'.repeat(1_000_000)}`, version: '1\u202E' };
    const report = reportOf([runWith('pass')], { subject, driverErrors: [driverError(`it said \u001B[31m${'x'.repeat(1_000_000)}\nCERTIFIED: yes`)] });
    for (const text of [summaryLines(report, 'r').join('\n'), markdownReport(report)]) {
      expect(text.length).toBeLessThan(20_000);
      expect(text).toMatch(/\\u001b\[2Jevil\\u000a\\u000aCERTIFIED: yes/);
      expect(text).not.toMatch(/^CERTIFIED/m);
      expect(['\u001B', '\u202E'].filter((one) => text.includes(one))).toEqual([]);
    }
  });

  it('says from where the printed command replays', () => {
    expect(summaryLines(reportOf([runWith('fail')]), 'r').join('\n')).toContain('a command that replays it from this folder');
  });

  it('says in words what the outcome is, and where the report lies', () => {
    expect(summaryLines(reportOf([runWith('pass')]), 'reports/report.json').join('\n')).toMatch(/CERTIFIED.*held[^]*reports\/report\.json/);
    expect(summaryLines(reportOf([runWith('fail')]), 'r').join('\n')).toMatch(/NOT CERTIFIED[^]*HOST-999 failed/);
    expect(summaryLines(reportOf([runWith('inconclusive')]), 'r').join('\n')).toMatch(/NOT CERTIFIED[^]*could not be decided/);
    expect(summaryLines(reportOf([], { driverErrors: [driverError('it lied')] }), 'r').join('\n')).toMatch(/NO VERDICT[^]*it lied/);
  });
});
