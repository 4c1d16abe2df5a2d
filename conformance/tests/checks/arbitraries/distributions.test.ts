/** What generators make, as they state it; and that what fails shrinks to what matters. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileCursors } from '../../../src/checks/arbitraries/cursors.ts';
import { hostileNames, kindsOf } from '../../../src/checks/arbitraries/names.ts';
import { oddEntries } from '../../../src/checks/arbitraries/odd-entries.ts';
import { oneOfEach } from '../../../src/checks/arbitraries/one-of-each.ts';
import type { PropertyCheck } from '../../../src/checks/check.ts';
import { discoveryChecks } from '../../../src/checks/discovery.ts';
import { generationChecks } from '../../../src/checks/generation.ts';
import { namingChecks } from '../../../src/checks/naming.ts';

const properties = [...namingChecks, ...discoveryChecks, ...generationChecks].filter((check): check is PropertyCheck => check.kind === 'property');
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed * 7919);

describe.each(properties.map((check): [string, PropertyCheck] => [check.id, check]))('the inputs of %s', (_id, check) => {
  const { arbitrary, runs, minimums } = check;
  const labels = (input: unknown): readonly string[] => check.labels(input);

  it('hit every label as often as the check demands, whatever the seed', () => {
    for (const seed of SEEDS) {
      const counts = new Map<string, number>();
      for (const input of fc.sample(arbitrary, { numRuns: runs, seed })) {
        for (const label of labels(input)) counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      const short = Object.entries(minimums).filter(([label, least]) => (counts.get(label) ?? 0) < least);
      expect(short, `seed ${seed}`).toEqual([]);
    }
  });

  it('demands something of each label that it knows', () => {
    const known = new Set(fc.sample(arbitrary, { numRuns: 200, seed: 1 }).flatMap((input) => labels(input)));
    for (const label of Object.keys(minimums)) expect(known).toContain(label);
    expect(Object.keys(minimums).length).toBeGreaterThan(0);
  });
});

describe('one of each', () => {
  const letters = oneOfEach([fc.constant('a'), fc.constant('b'), fc.nat(100).map((n) => `c${n}`), fc.constant('d')]);

  it('holds one of each kind, in changing order', () => {
    const samples = fc.sample(letters, { numRuns: 50, seed: 1 });
    for (const sample of samples) expect(new Set(sample.map((text) => text[0]))).toEqual(new Set(['a', 'b', 'c', 'd']));
    expect(new Set(samples.map((sample) => sample.map((text) => text[0]).join(''))).size).toBeGreaterThan(10);
  });

  it('shrinks to the one element that matters, and that one to its smallest', () => {
    const details = fc.check(fc.property(letters, (values) => !values.some((value) => Number(value.slice(1)) >= 7)), { seed: 3 });
    expect(details.counterexample).toEqual([['c7']]);
  });

  it('gives the same again for the same seed and path', () => {
    const property = fc.property(letters, (values) => !values.some((value) => Number(value.slice(1)) >= 7));
    const { counterexamplePath, counterexample } = fc.check(property, { seed: 5 });
    const replayed = fc.check(property, { seed: 5, path: counterexamplePath ?? '' });
    expect(replayed.counterexample).toEqual(counterexample);
  });
});

describe('hostile values', () => {
  it('are distinct within a list, in UTF-8 too', () => {
    for (const names of fc.sample(hostileNames, { numRuns: 100, seed: 2 })) {
      expect(new Set(names.map((name) => Buffer.from(name, 'utf8').toString('hex'))).size).toBe(names.length);
    }
    for (const cursors of fc.sample(hostileCursors, { numRuns: 100, seed: 2 })) expect(new Set(cursors).size).toBe(cursors.length);
    for (const entries of fc.sample(oddEntries, { numRuns: 20, seed: 2 })) expect(new Set(entries.map(({ kind }) => kind)).size).toBe(entries.length);
  });

  it('survive JSON, lone surrogates included', () => {
    for (const names of fc.sample(hostileNames, { numRuns: 100, seed: 4 })) expect(JSON.parse(JSON.stringify(names))).toEqual(names);
  });

  it('are labelled by what they are', () => {
    expect(kindsOf(['a.b', 'a_b'])).toEqual(expect.arrayContaining(['twins', 'clean', 'illegal-ascii']));
    expect(kindsOf(['\ud800'])).toEqual(expect.arrayContaining(['lone-surrogate', 'tiny']));
    expect(kindsOf(['__proto__'])).toEqual(expect.arrayContaining(['prototype', 'separator']));
    expect(kindsOf(['x'])).toEqual(['clean', 'tiny']);
  });
});
