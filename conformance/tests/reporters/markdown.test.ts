import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/adapter/messages.ts';
import { markdownReport } from '../../src/reporters/markdown.ts';
import { fenced, inlineCode } from '../../src/reporters/markdown-text.ts';
import { baselineOf, driverError, failedRun, reportOf, runWith } from '../support/reports.ts';

describe('a report as Markdown', () => {
  it('begins with everything that a certificate names', () => {
    const text = markdownReport(reportOf([runWith('pass')], { strict: true }));
    expect(text).toMatch(/^# `fake 0\.0\.0`: certified\n/);
    for (const row of [
      '| outcome | **certified**, strict |', '| level | core |', '| subject | `fake 0.0.0` |', '| suite | `suite 1` |', '| seed | 1 |',
      '| invariants | 1 passed, 0 failed, 0 inconclusive, 0 not applicable |', `| features not declared | ${FEATURES.join(', ')} |`,
      '| host | 1 | 0 | 0 | 0 |',
    ]) expect(text).toContain(row);
    expect(text).toMatch(/\| requirement set \| mcp-bridge-1 \(1 invariants, MCP 2025-11-25, [0-9a-f]{12}\) \|/);
    expect(text).not.toContain('What did not hold');
  });

  it('shows of a failure what the judge says, the smallest input, what happened and one command that replays it', () => {
    const text = markdownReport(reportOf([failedRun]));
    expect(text).toMatch(/: not certified\n/);
    expect(text).toContain('### HOST-999 failed');
    expect(text).toContain('```text\nit broke\n```');
    expect(text).toContain('(seed 1, path `3:0`)');
    expect(text).toContain('```text\n"\\u202e`"\n```');
    expect(text).toContain('```sh\nnpx suite replay HOST-999/a --seed 1\n```');
    expect(text).toContain('<summary>what happened</summary>\n\n````text\nwhole ```text\n````');
  });

  it('stays short enough for an issue, and names the failures whose texts found no room', () => {
    const text = markdownReport(reportOf(Array.from({ length: 30 }, (_, at) => ({ ...failedRun, check: `HOST-999/c${at}`, failure: 'x'.repeat(4_000) }))));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('- HOST-999 (`HOST-999/c29`): failed; `npx suite replay HOST-999/a --seed 1`');
  });

  it('says that there is no verdict when the way to the subject is wrong', () => {
    const text = markdownReport(reportOf([], { driverErrors: [driverError('it lied ```')] }));
    expect(text).toMatch(/: no verdict\n[^]*## No verdict[^]*````text\nHOST-999\/a: it lied ```\n````/);
  });

  it('shows what the baseline said, and the kill table folded away', () => {
    const killTable = { killTable: 1 as const, mutants: 2, rows: [
      { mutant: 'HOST-999/is-late', kind: 'stage' as const, kills: 'HOST-999' as const, neighbours: [] },
      { mutant: 'HOST-001/is-about-something-else', kind: 'wire' as const, kills: 'HOST-001' as const, neighbours: [] },
    ] };
    const text = markdownReport(reportOf([failedRun], { baseline: baselineOf({ known: [failedRun] }), killTable }));
    expect(text).toMatch(/: not certified; nothing fails but what the baseline names\n/);
    expect(text).toContain('Baseline known.yaml: 1 known, 0 stale, 0 changed, 0 unknown.');
    expect(text).toContain('Kill table: 1 planted defect that a check of its invariant finds');
    expect(text).toContain('| HOST-999 | is-late (stage) |');
  });
});

describe('text of others in Markdown', () => {
  it('stays within its fence, whatever fences it holds', () => {
    expect(fenced('a ```` b')).toEqual(['`````text', 'a ```` b', '`````']);
    expect(inlineCode('a`b|c\nd')).toBe('`` a`b\\|c d ``');
  });
});
