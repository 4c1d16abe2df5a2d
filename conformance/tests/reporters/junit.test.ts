import { describe, expect, it } from 'vitest';
import { junitReport, xmlText } from '../../src/reporters/junit.ts';
import { baselineOf, driverError, failedRun, reportOf, runWith } from '../support/reports.ts';

const counts = (text: string): string | undefined => /<testsuites [^>]*?(tests="\d+" failures="\d+" errors="\d+" skipped="\d+")/.exec(text)?.[1];

describe('a report as JUnit XML', () => {
  it('has a suite for each area and a test for each run, and counts what a CI counts', () => {
    const text = junitReport(reportOf([runWith('pass'), { ...failedRun, check: 'HOST-999/b' }, runWith('inconclusive', 'HOST-999/c'), runWith('not-applicable', 'HOST-999/d')]));
    expect(counts(text)).toBe('tests="4" failures="1" errors="1" skipped="1"');
    expect(text).toContain('<testsuite name="host" timestamp="1970-01-01T00:00:00"');
    expect(text).toContain('<testcase classname="HOST-999" name="HOST-999/a" time="0.005"/>');
    expect(text).toContain('<failure message="it broke" type="MUST"><![CDATA[whole ```text]]></failure>');
  });

  it('names what a certificate names as properties', () => {
    const text = junitReport(reportOf([runWith('pass')]));
    for (const property of ['name="outcome" value="certified"', 'name="level" value="core"', 'name="subject" value="fake 0.0.0"', 'name="suite" value="suite 1"', 'name="seed" value="1"', 'name="passed" value="1"', 'name="failed" value="0"']) {
      expect(text).toContain(`<property ${property}/>`);
    }
  });

  it('shows a recommendation that is not met without failing, and fails it under strict', () => {
    const soft = junitReport(reportOf([failedRun], { strength: 'SHOULD' }));
    expect(counts(soft)).toBe('tests="1" failures="0" errors="0" skipped="0"');
    expect(soft).toContain('A recommendation (SHOULD) that is not met.');
    expect(counts(junitReport(reportOf([failedRun], { strength: 'SHOULD', strict: true })))).toContain('failures="1"');
  });

  it('skips a known failure, and fails one that the baseline does not know', () => {
    const known = junitReport(reportOf([failedRun], { baseline: baselineOf({ known: [failedRun] }) }));
    expect(counts(known)).toBe('tests="1" failures="0" errors="0" skipped="1"');
    expect(known).toContain('A known failure, named by known.yaml.');
    expect(counts(junitReport(reportOf([failedRun], { baseline: baselineOf({}) })))).toContain('failures="1"');
  });

  it('tells of a wrong way to the subject as an error', () => {
    expect(counts(junitReport(reportOf([], { driverErrors: [driverError('it lied')] })))).toBe('tests="1" failures="0" errors="1" skipped="0"');
  });

  it('spells out what XML cannot hold, and escapes what it takes for its own', () => {
    expect(xmlText('a\u0000\ud800\tb\n\ufffe😀')).toBe('a\\u0000\\ud800\tb\n\\ufffe😀');
    const text = junitReport(reportOf([{ ...failedRun, message: '<&">\u0001', failure: 'a]]>b' }]));
    expect(text).toContain('message="&lt;&amp;&quot;>\\u0001"');
    expect(text).toContain('a]]]]><![CDATA[>b');
  });
});
