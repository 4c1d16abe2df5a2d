import { describe, expect, it } from 'vitest';
import { BaselineError, readBaseline } from '../../src/baseline/read.ts';

const known = (name: string): string | undefined => (name.startsWith('NAMING') ? undefined : `${name}: no such check`);

function problem(text: string): string {
  try {
    readBaseline(text, 'known.yaml', known);
  } catch (error) {
    if (error instanceof BaselineError) return error.message;
    throw error;
  }
  return 'nothing is wrong';
}

const entry = (more: string): string => `baseline: 1\nknown:\n  - check: NAMING-004\n    message: it is called\n    reason: old clients\n${more}`;

describe('a baseline', () => {
  it('is read from YAML and from JSON, with the line of each entry', () => {
    const read = readBaseline(entry('  - { check: NAMING-005/real, target: sdk-http, message: "", reason: later }\n'), 'known.yaml', known);
    expect(read.baseline.known).toHaveLength(2);
    expect([read.place(0), read.place(1)]).toEqual(['known.yaml:3', 'known.yaml:6']);
    expect(readBaseline(JSON.stringify(read.baseline), 'known.json', known).baseline).toEqual(read.baseline);
  });

  it.each<[string, string, RegExp]>([
    ['broken YAML', 'baseline: 1\nknown: [', /^known\.yaml:2:\d+: .*mend the YAML there$/],
    ['another version', 'baseline: 2\nknown: []\n', /^known\.yaml:1:11: baseline: write "baseline: 1"$/],
    ['no list', 'baseline: 1\n', /^known\.yaml:1:1: known: give a list of entries/],
    ['an entry without a reason', 'baseline: 1\nknown:\n  - check: NAMING-004\n    message: x\n', /^known\.yaml:3:5: known\.0\.reason: say why/],
    ['an empty reason', entry('').replace('old clients', '" "'), /^known\.yaml:5:13: known\.0\.reason: say why/],
    ['an entry without a message', 'baseline: 1\nknown:\n  - check: NAMING-004\n    reason: x\n', /known\.0\.message: give the beginning/],
    ['an unknown target', entry('    target: moon\n'), /^known\.yaml:6:13: known\.0\.target: give fixture/],
    ['a member that is none', entry('    note: x\n'), /^known\.yaml:3:5: known\.0: note: no such member/],
    ['an unknown check', entry('  - check: NAMNG-004\n    message: x\n    reason: y\n'), /^known\.yaml:6:12: known\.1\.check: NAMNG-004: no such check$/],
    ['nothing at all', '', /^known\.yaml:1:1: /],
    ['aliases that grow without end', `baseline: 1\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nknown: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`, /^known\.yaml: .*write the entries out$/],
    ['a file that is far too long', ' '.repeat(1_000_001), /^known\.yaml: it has more than/],
  ])('that has %s is refused in one line with the place and the fix', (_what, text, told) => {
    expect(problem(text)).toMatch(told);
    expect(problem(text)).not.toContain('\n');
  });
});
