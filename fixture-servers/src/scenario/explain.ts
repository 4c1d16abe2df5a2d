/**
 * Turns the schema library's issues into what a person reads. A union that fails reports every branch; only the branch
 * that was meant is worth showing, and a wrong key deserves the list of right ones.
 */
import { z } from 'zod';
import { EXAMPLES } from './examples.ts';
import { EXPECTED_OBJECT } from './json.ts';
import { placeOf } from './nesting.ts';
import { branchesOf, descend, dig, keysOf, likeliestBranch, type Path } from './schema-walk.ts';
import { suggest, unknownKey } from './suggest.ts';

/** Above so many branches a union is told by its keys alone. */
const MAX_NAMED_BRANCHES = 4;

/** One issue, its place relative to the root. `key` is set when the trouble is a key itself, not its value. */
export interface Explained {
  readonly path: readonly (string | number)[];
  readonly key?: string;
  readonly message: string;
  /** The known key that a wrong one is near to. */
  readonly meant?: string;
  /** The keys that are missing here, any of them. */
  readonly lacks?: readonly string[];
}

/** Explains all issues of a failed parse of `value` by `schema`. */
export function explain(schema: z.ZodType, value: unknown, error: z.ZodError): Explained[] {
  const found = error.issues.flatMap((issue) => explainIssue(schema, value, issue, []));
  return withoutEchoes(found.map((issue) => inItsPlace(schema, value, issue)));
}

/** A key that is known elsewhere stands in the wrong place; said where no misspelt word is the likelier reason. */
function inItsPlace(schema: z.ZodType, value: unknown, issue: Explained): Explained {
  if (issue.key === undefined || issue.meant !== undefined) return issue;
  const place = placeOf(issue.key, schema, value, issue.path);
  return place === undefined ? issue : { ...issue, message: `\`${issue.key}\` does not stand here; ${place.hint}`, meant: place.missing ?? issue.key };
}

/** One typo is one error: that the key which was meant is missing follows from it. */
function withoutEchoes(found: readonly Explained[]): Explained[] {
  return found.filter(({ path, lacks }) => {
    if (lacks === undefined) return true;
    return !found.some((other) => other.meant !== undefined && lacks.includes(other.meant) && samePath(other.path, path));
  });
}

function explainIssue(schema: z.ZodType, root: unknown, issue: z.core.$ZodIssue, base: Path): Explained[] {
  const own = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const path = [...base, ...own];
  const at = descend(schema, own, root);
  const value = dig(root, own);
  switch (issue.code) {
    case 'unrecognized_keys': {
      // Where one branch alone was left, the library reports its issues as if there were no union.
      const object = at instanceof z.ZodUnion ? likeliestBranch(at, value) : at;
      return issue.keys.map((key) => wrongKey(path, key, keysOf(object)));
    }
    case 'invalid_union':
      return explainUnion(at, value, issue, path);
    case 'invalid_type':
      return [expected(typeName(issue.expected, own), path, own, value)];
    case 'invalid_value':
      return [withNearest(expected(issue.values.map(shown).join(' or '), path, own, value), value, issue.values)];
    case 'too_small':
      return [{ path, message: tooSmall(issue, value) }];
    case 'too_big':
      return [{ path, message: `expected at most ${issue.maximum}${unit(issue.origin, issue.maximum)}, found ${size(value)}` }];
    case 'custom': {
      const nested: unknown = issue.params?.['nested'];
      if (at !== undefined && isIssue(nested)) return explainIssue(at, value, nested, path);
      if (issue.message === EXPECTED_OBJECT) return [expected(typeName('object', own), path, own, value)];
      const lacks: unknown = issue.params?.['lacks'];
      return [{ path, message: issue.message, ...(isTexts(lacks) ? { lacks } : {}) }];
    }
    default:
      return [{ path, message: issue.message }];
  }
}

/** What a mapping kept of the trouble with one of its values. */
function isIssue(value: unknown): value is z.core.$ZodIssue {
  return typeof value === 'object' && value !== null && 'code' in value && 'path' in value;
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function wrongKey(path: Path, key: string, known: readonly string[]): Explained {
  const meant = suggest(key, known);
  return { path, key, message: unknownKey(key, known), ...(meant === undefined ? {} : { meant }) };
}

/** How YAML calls the types of JSON, with an example where one is known. */
function typeName(type: string, own: Path): string {
  if (type === 'int') return 'a whole number';
  if (type !== 'array' && type !== 'object') return type;
  const key = own.at(-1);
  const example = typeof key === 'string' && Object.hasOwn(EXAMPLES, key) ? EXAMPLES[key] : undefined;
  return `${type === 'array' ? 'a list' : 'a mapping'}${example === undefined ? '' : ` such as \`${example}\``}`;
}

function withNearest(issue: Explained, value: unknown, known: readonly unknown[]): Explained {
  if (typeof value !== 'string') return issue;
  const near = suggest(value, known.filter((each) => typeof each === 'string'));
  return near === undefined ? issue : { ...issue, message: `${issue.message}; did you mean \`${near}\`?` };
}

function expected(what: string, path: Path, own: Path, value: unknown): Explained {
  const key = own.at(-1);
  if (value === undefined && typeof key === 'string') {
    return { path: path.slice(0, -1), message: `\`${key}\` is missing: expected ${what}`, lacks: [key] };
  }
  return { path, message: `expected ${what}, found ${shown(value)}` };
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, value: unknown): string {
  return `expected at least ${issue.minimum}${unit(issue.origin, issue.minimum)}, found ${size(value)}`;
}

function unit(origin: string, count: number | bigint): string {
  const isOne = Number(count) === 1;
  if (origin === 'string') return isOne ? ' character' : ' characters';
  if (origin !== 'array') return '';
  return isOne ? ' entry' : ' entries';
}

function size(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return String(value.length);
  return shown(value);
}

/** Shows the branch that fits best, or what the branches are when none does. */
function explainUnion(
  at: z.ZodType | undefined,
  value: unknown,
  issue: z.core.$ZodIssueInvalidUnion,
  path: Path,
): Explained[] {
  const branches = at === undefined ? [] : branchesOf(at);
  const objects = branches.filter((branch) => keysOf(branch).length > 0);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const keys = objects.length > MAX_NAMED_BRANCHES ? [...new Set(objects.flatMap(keysOf))] : [];
    const what = keys.length > 0 ? `a mapping with one of the keys ${quoted(keys)}` : branches.map(nameOf).join(' or ');
    return [{ path, message: `expected ${what}, found ${shown(value)}` }];
  }
  const present = Object.keys(value);
  const fitting = issue.errors
    .map((issues, index) => ({ issues, branch: branches[index], misfit: misfit(issues, branches[index], present) }))
    .filter((candidate) => present.some((key) => keysOf(candidate.branch).includes(key)))
    .sort((a, b) => a.misfit - b.misfit);
  const best = fitting[0];
  if (best?.branch === undefined) {
    const known = [...new Set(objects.flatMap(keysOf))];
    const wrong = present[0];
    if (wrong === undefined) return [{ path, message: `is empty; give one of ${quoted(known)}` }];
    return [wrongKey(path, wrong, known)];
  }
  const rivals = fitting.filter((candidate) => candidate.misfit === best.misfit);
  if (rivals.length > 1 && rivals.every(({ issues }) => issues.every(({ code }) => code === 'unrecognized_keys'))) {
    const found = present.map((key) => `\`${key}\``).join(' and ');
    return [{ path, message: `takes exactly one of its keys, found ${found}; make each an entry of its own` }];
  }
  const { branch } = best;
  return best.issues.flatMap((inner) => explainIssue(branch, value, inner, path));
}

/** How badly a branch fits: keys it lacks and keys it does not know count, troubles deeper inside do not. */
function misfit(issues: readonly z.core.$ZodIssue[], branch: z.ZodType | undefined, present: readonly string[]): number {
  const known = keysOf(branch);
  const unknown = present.filter((key) => !known.includes(key)).length;
  const missing = issues.filter(
    (issue) => issue.path.length === 1 && known.includes(String(issue.path[0])) && !present.includes(String(issue.path[0])),
  ).length;
  return unknown + missing;
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function quoted(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(', ');
}

function nameOf(schema: z.ZodType): string {
  const keys = keysOf(schema);
  if (keys.length > 0) return `{${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''}}`;
  if (schema instanceof z.ZodNumber) return 'a whole number';
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(shown).join(' or ');
  return schema.type;
}
