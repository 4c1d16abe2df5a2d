/** The catalogue against the checks, the mutants and the numbered sources, both ways. */
import { existsSync, readFileSync } from 'node:fs';
import { listCases, loadCase } from 'mcp-fixture-server';
import { AREAS } from 'mcp-fixture-server/case';
import { describe, expect, it } from 'vitest';
import { exclusions, invariantById, invariants, type Exclusion, type Invariant } from '../src/catalogue/index.ts';
import type { Check } from '../src/checks/check.ts';
import { checkById, checks } from '../src/checks/index.ts';
import { mutantById, mutants } from '../subjects/mutants/index.ts';
import { isSpecSection } from './sources/spec-sections.ts';
import { MUTANTS_WITH_NEIGHBOURS } from '../subjects/mutants/neighbours.ts';

/** What is compared: the real thing, or one with a gap planted in it. */
interface Books {
  readonly invariants: readonly Invariant[];
  readonly exclusions: readonly Exclusion[];
  readonly checks: readonly { readonly id: string; readonly invariant: string }[];
  readonly mutants: readonly { readonly id: string; readonly kills: string; readonly neighbours: readonly string[] }[];
  readonly numbers: readonly string[];
}

const source = (name: string): string => readFileSync(new URL(`sources/${name}`, import.meta.url), 'utf8');
const numbersOf = (text: string, line: RegExp): string[] => [...text.matchAll(line)].flatMap(([, number]) => number ?? []);
const requirements = numbersOf(source('requirements.md'), /^- ([SB]\d\d) /gm);
const reports = numbersOf(source('bug-reports.md'), /^\| (R\d\d) \|/gm);
const real: Books = { invariants, exclusions, checks, mutants, numbers: [...requirements, ...reports] };

const doubles = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);
const without = (values: readonly string[], known: readonly string[]): string[] => values.filter((value) => !known.includes(value));

/** `S01` to `S64` and the like. */
function series(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, at) => `${letter}${String(at + 1).padStart(2, '0')}`);
}

/** Every gap, as one line each. */
function gapsIn(books: Books): string[] {
  const ids = books.invariants.map(({ id }) => id);
  const cited = books.invariants.flatMap(({ sources }) => [...sources.requirements, ...(sources.reports ?? [])]);
  const excluded = books.exclusions.map(({ number }) => number);
  return [
    ...without(ids, books.checks.map(({ invariant }) => invariant)).map((id) => `${id} has no check`),
    ...without(books.checks.map(({ invariant }) => invariant), ids).map((id) => `a check is about ${id}, which is not in the catalogue`),
    ...without(ids, books.mutants.map(({ kills }) => kills)).map((id) => `${id} has no mutant`),
    ...without(books.mutants.flatMap(({ kills, neighbours }) => [kills, ...neighbours]), ids).map((id) => `a mutant names ${id}, which is not in the catalogue`),
    ...without(books.numbers, [...cited, ...excluded]).map((number) => `${number} is neither cited nor excluded`),
    ...without([...cited, ...excluded], books.numbers).map((number) => `${number} is cited or excluded, and is no number of the sources`),
    ...excluded.filter((number) => cited.includes(number)).map((number) => `${number} is cited, so its exclusion is stale`),
    ...books.exclusions.filter(({ reason }) => reason.trim().length < 20).map(({ number }) => `${number} is excluded without a reason`),
    ...books.invariants.flatMap(({ id, sources }) => (sources.spec ?? []).filter((one) => !isSpecSection(one)).map((one) => `${id} cites ${one}, which the specification does not have`)),
    ...doubles(ids).map((id) => `${id} is in the catalogue twice`),
    ...doubles(excluded).map((number) => `${number} is excluded twice`),
    ...doubles(books.checks.map(({ id }) => id)).map((id) => `the check ${id} is there twice`),
    ...doubles(books.mutants.map(({ id }) => id)).map((id) => `the mutant ${id} is there twice`),
  ];
}

/** What a bridge must speak to be asked for a check against scripted servers. */
const transportsOf = (check: Check): readonly string[] => check.transports ?? invariantById(check.invariant).transports ?? ['stdio'];

describe('the catalogue', () => {
  it('has a check and a mutant for every invariant, and cites or excludes every number', () => {
    expect(gapsIn(real)).toEqual([]);
  });

  it('knows all numbers of the sources', () => {
    expect(requirements).toEqual([...series('S', 64), ...series('B', 29)]);
    expect(reports.length).toBe(48);
    expect(doubles(reports)).toEqual([]);
  });

  it('numbers each invariant after its area and says one sentence', () => {
    for (const { id, area, statement, sources } of invariants) {
      expect(AREAS, id).toContain(area);
      expect(id).toMatch(new RegExp(`^${area.toUpperCase()}-\\d{3}$`));
      expect(statement, id).toMatch(/^\S.*\.$/s);
      expect(sources.requirements.length, id).toBeGreaterThan(0);
    }
  });

  it('names each check and each mutant after its invariant', () => {
    for (const { id, invariant } of checks) expect(id).toMatch(new RegExp(`^${invariant}/[a-z0-9-]+$`));
    expect(MUTANTS_WITH_NEIGHBOURS.filter((id) => !mutants.some((one) => one.id === id))).toEqual([]);
    for (const { id, kills } of mutants) expect(id).toMatch(new RegExp(`^${kills}/[a-z0-9-]+$`));
  });

  it('asks no bridge without HTTP for what is named after HTTP', () => {
    const web = checks.filter(({ id }) => id.endsWith('-over-http') || id.endsWith('/over-http'));
    expect(web.length).toBeGreaterThan(10);
    expect(web.filter((check) => !transportsOf(check).includes('streamable-http')).map(({ id }) => id)).toEqual([]);
  });

  it('names tests that are there for what cannot be seen from outside', () => {
    const told = [...invariants.map(({ id, elsewhere = '' }) => [id, elsewhere] as const), ...exclusions.map(({ number, reason }) => [number, reason] as const)];
    const named = told.flatMap(([id, text]) => [...text.matchAll(/\b(?:bridge|snapshots)\/[\w/.-]*\w/g)].map(([path]) => [id, path] as const));
    for (const [id, path] of named) expect(existsSync(new URL(`../../${path}`, import.meta.url)), `${id}: ${path}`).toBe(true);
    for (const { id, elsewhere } of invariants) if (elsewhere !== undefined) expect(elsewhere, id).toMatch(/bridge\/tests\//);
    expect(named.length).toBeGreaterThan(0);
  });

  it('has every invariant that a case of the library probes', async () => {
    const ids = new Set<string>(invariants.map(({ id }) => id));
    const cases = await Promise.all((await listCases()).map(({ name }) => loadCase(name)));
    expect(cases.length).toBeGreaterThan(0);
    for (const { id, judge } of cases) expect(without(judge, [...ids]), id).toEqual([]);
  });

  it('throws on an unknown id', () => {
    expect(() => invariantById('NAMING-999')).toThrow('NAMING-999');
    expect(() => checkById('NAMING-999/nothing')).toThrow('NAMING-999/nothing');
    expect(() => mutantById('NAMING-999/nothing')).toThrow('NAMING-999/nothing');
    for (const { id } of invariants) expect(invariantById(id).id).toBe(id);
  });
});

describe('a planted gap', () => {
  const [someInvariant] = invariants;
  if (someInvariant === undefined) throw new Error('the catalogue is empty');
  const { id } = someInvariant;
  const cited = someInvariant.sources.requirements[0] ?? '';
  const planted: readonly (readonly [what: string, books: Books, gap: string])[] = [
    ['an invariant without a check', { ...real, checks: checks.filter(({ invariant }) => invariant !== id) }, `${id} has no check`],
    ['a section that is not there', { ...real, invariants: [...invariants, { ...someInvariant, id: 'NAMING-998', sources: { ...someInvariant.sources, spec: ['server/tools#no-such'] } }] }, 'NAMING-998 cites server/tools#no-such, which the specification does not have'],
    ['a check without an invariant', { ...real, checks: [...checks, { id: 'NAMING-999/x', invariant: 'NAMING-999' }] }, 'a check is about NAMING-999, which is not in the catalogue'],
    ['an invariant without a mutant', { ...real, mutants: mutants.filter(({ kills }) => kills !== id) }, `${id} has no mutant`],
    ['a mutant of no invariant', { ...real, mutants: [...mutants, { id: 'NAMING-999/x', kills: 'NAMING-999', neighbours: [] }] }, 'a mutant names NAMING-999, which is not in the catalogue'],
    ['a neighbour that is no invariant', { ...real, mutants: [...mutants, { id: `${id}/x`, kills: id, neighbours: ['NAMING-999'] }] }, 'a mutant names NAMING-999, which is not in the catalogue'],
    ['a requirement that nobody cites', { ...real, numbers: [...real.numbers, 'S99'] }, 'S99 is neither cited nor excluded'],
    ['a report that nobody cites', { ...real, numbers: [...real.numbers, 'R99'] }, 'R99 is neither cited nor excluded'],
    ['a citation of a number that does not exist', { ...real, numbers: real.numbers.filter((number) => number !== cited) }, `${cited} is cited or excluded, and is no number of the sources`],
    ['an exclusion of a number that is cited', { ...real, exclusions: [...exclusions, { number: cited, reason: 'a reason that once was a true one' }] }, `${cited} is cited, so its exclusion is stale`],
    ['an exclusion without a reason', { ...real, exclusions: exclusions.map((one, at) => (at === 0 ? { ...one, reason: ' ' } : one)) }, `${exclusions[0]?.number ?? ''} is excluded without a reason`],
    ['an id that is there twice', { ...real, invariants: [...invariants, someInvariant] }, `${id} is in the catalogue twice`],
  ];

  it.each(planted)('%s is found', (_what, books, gap) => {
    expect(gapsIn(books)).toContain(gap);
  });
});
