import { describe, expect, it } from 'vitest';
import { compare } from '../../src/baseline/compare.ts';
import { readBaseline } from '../../src/baseline/read.ts';
import { rewriteBaseline, stablePrefix } from '../../src/baseline/rewrite.ts';
import type { RunSummary } from '../../src/runner/result.ts';

const BEFORE = `# What our users live with.
baseline: 1
known:
  # Gone with version 3.
  - check: HOST-999/stale
    message: it broke
    reason: an old reason
  - check: HOST-999/changed
    message: it broke
    reason: clients depend on it # see the wiki
`;

const runOf = (check: string, verdict: 'pass' | 'fail', message: string, target: RunSummary['target'] = 'fixture'): RunSummary => ({
  check, invariant: 'HOST-999', target, verdict, message, seed: 1, durationMs: 1,
});
const runs = [
  runOf('HOST-999/stale', 'pass', ''), runOf('HOST-999/changed', 'fail', 'it hung for 312.5 ms'), runOf('HOST-999/new', 'fail', 'it fell', 'sdk-http'),
  runOf('HOST-999/new', 'fail', 'it fell', 'sdk-http'),
];

describe('a baseline that is rewritten', () => {
  const read = readBaseline(BEFORE, 'known.yaml', () => undefined);
  const text = rewriteBaseline(read.document, compare(read.baseline, runs, () => true), '2026-01-02');

  it('loses what is stale, gets the new message and the new failure once, and keeps reasons and comments', () => {
    expect(text).toContain('# What our users live with.');
    expect(text).not.toContain('HOST-999/stale');
    expect(text).toContain('message: it hung for\n    reason: clients depend on it # see the wiki');
    expect(text.match(/HOST-999\/new/g)).toHaveLength(1);
    expect(text).toContain('target: sdk-http\n    message: it fell\n    reason: "new on 2026-01-02: say why this failure is accepted"');
  });

  it('fits then, and is left as it is when it is rewritten again', () => {
    const again = readBaseline(text, 'known.yaml', () => undefined);
    const found = compare(again.baseline, runs, () => true);
    expect({ stale: found.stale, changed: found.changed, unknown: found.unknown }).toEqual({ stale: [], changed: [], unknown: [] });
    expect(rewriteBaseline(again.document, found, '2026-01-03')).toBe(text);
  });

  it('is begun when there is none, and grows from an empty list one entry a line', () => {
    const found = compare({ baseline: 1, known: [] }, runs, () => true);
    const fresh = rewriteBaseline(undefined, found, '2026-01-02');
    const grown = rewriteBaseline(readBaseline('baseline: 1\nknown: []\n', 'known.yaml', () => undefined).document, found, '2026-01-02');
    expect(grown).toBe(fresh);
    expect(fresh).toMatch(/^baseline: 1\nknown:\n {2}- check: HOST-999\/changed\n/);
  });
});

describe('the beginning of a message that is written', () => {
  it.each([
    ['the call took 12 ms', 'the call took'],
    ['waited until pid 4711 was gone', 'waited until'],
    ['a tool has 3 names', 'a tool has 3 names'],
    ['first line\nsecond line', 'first line'],
    ['5 ms is short', '5 ms is short'],
  ])('of %j is %j: what differs from run to run is left out', (message, prefix) => {
    expect(stablePrefix(message)).toBe(prefix);
  });

  it('is cut between whole characters', () => {
    expect(stablePrefix('😀'.repeat(200))).toBe('😀'.repeat(120));
  });
});
