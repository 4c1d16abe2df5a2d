import { describe, expect, it } from 'vitest';
import { compare, isAsKnown } from '../../src/baseline/compare.ts';
import type { BaselineEntry } from '../../src/baseline/schema.ts';
import type { Verdict } from '../../src/checks/check.ts';
import type { RunSummary } from '../../src/runner/result.ts';

const runOf = (check: string, verdict: Verdict, message = 'it broke', target: RunSummary['target'] = 'fixture'): RunSummary => ({
  check, invariant: 'HOST-999', target, verdict, message, seed: 1, durationMs: 1,
});
const entryOf = (check: string, message = 'it broke', more: Partial<BaselineEntry> = {}): BaselineEntry => ({ check, message, reason: 'known', ...more });

function found(entries: readonly BaselineEntry[], runs: readonly RunSummary[], refuses = true): Record<string, number> {
  const { known, stale, changed, unknown } = compare({ baseline: 1, known: [...entries] }, runs, () => refuses);
  return Object.fromEntries(Object.entries({ known, stale, changed, unknown }).flatMap(([name, list]) => (list.length === 0 ? [] : [[name, list.length]])));
}

describe('failures and a baseline', () => {
  it.each<[string, BaselineEntry[], RunSummary[], Record<string, number>]>([
    ['a failure that an entry names, by the beginning of its message', [entryOf('HOST-999/a')], [runOf('HOST-999/a', 'fail', 'it broke at noon')], { known: 1 }],
    ['one that an entry names by the invariant, in any case', [entryOf('host-999')], [runOf('HOST-999/a', 'fail'), runOf('HOST-999/b', 'fail')], { known: 2 }],
    ['one with another message', [entryOf('HOST-999/a')], [runOf('HOST-999/a', 'fail', 'it hung')], { changed: 1 }],
    ['one whose message may be any', [entryOf('HOST-999/a', '')], [runOf('HOST-999/a', 'fail', 'it hung')], { known: 1 }],
    ['one that nothing names', [], [runOf('HOST-999/a', 'fail')], { unknown: 1 }],
    ['one with another target than the entry says', [entryOf('HOST-999/a', 'it broke', { target: 'sdk-http' })], [runOf('HOST-999/a', 'fail')], { unknown: 1 }],
    ['an entry of which all passes', [entryOf('HOST-999')], [runOf('HOST-999/a', 'pass'), runOf('HOST-999/b', 'not-applicable')], { stale: 1 }],
    ['an entry of which something is in doubt', [entryOf('HOST-999')], [runOf('HOST-999/a', 'pass'), runOf('HOST-999/b', 'inconclusive')], {}],
    ['an entry about what was not run', [entryOf('HOST-999/z')], [runOf('HOST-999/a', 'pass')], {}],
    ['two entries for one check, one of them changed', [entryOf('HOST-999', 'it broke'), entryOf('HOST-999', 'it hung')], [runOf('HOST-999/a', 'fail', 'it broke'), runOf('HOST-999/b', 'fail', 'it fell')], { known: 1, changed: 1 }],
    ['two entries for one check, one of them stale', [entryOf('HOST-999', 'it broke'), entryOf('HOST-999', 'it hung')], [runOf('HOST-999/a', 'fail', 'it broke')], { known: 1, stale: 1 }],
  ])('%s', (_what, entries, runs, expected) => {
    expect(found(entries, runs)).toEqual(expected);
  });

  it('a failure that refuses no certificate needs no entry, and may have one', () => {
    expect(found([], [runOf('HOST-999/a', 'fail')], false)).toEqual({});
    expect(found([entryOf('HOST-999/a')], [runOf('HOST-999/a', 'fail')], false)).toEqual({ known: 1 });
  });

  it('fit when nothing is stale, changed or unknown', () => {
    expect(isAsKnown(compare({ baseline: 1, known: [entryOf('HOST-999')] }, [runOf('HOST-999/a', 'fail')], () => true))).toBe(true);
    expect(isAsKnown(compare({ baseline: 1, known: [] }, [runOf('HOST-999/a', 'fail')], () => true))).toBe(false);
  });
});
