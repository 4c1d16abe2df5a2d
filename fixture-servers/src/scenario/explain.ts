/**
 * Turns the schema library's issues into what a person reads. A union that fails reports every branch; only the branch
 * that was meant is worth showing, and a wrong key deserves the list of right ones.
 */
import { z } from 'zod';
import { mappingValues } from './json.ts';
import { unknownKey } from './suggest.ts';

/** One issue, its place relative to the root. `key` is set when the trouble is a key itself, not its value. */
export interface Explained {
  readonly path: readonly (string | number)[];
  readonly key?: string;
  readonly message: string;
}

type Path = readonly (string | number)[];

/** Explains all issues of a failed parse of `value` by `schema`. */
export function explain(schema: z.ZodType, value: unknown, error: z.ZodError): Explained[] {
  return error.issues.flatMap((issue) => explainIssue(schema, value, issue, []));
}

function explainIssue(schema: z.ZodType, root: unknown, issue: z.core.$ZodIssue, base: Path): Explained[] {
  const own = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const path = [...base, ...own];
  const at = descend(schema, own);
  const value = dig(root, own);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path, key, message: unknownKey(key, keysOf(at)) }));
    case 'invalid_union':
      return explainUnion(at, value, issue, path);
    case 'invalid_type':
      if (value === undefined && own.length > 0) {
        const key = String(own.at(-1));
        return [{ path: path.slice(0, -1), message: `\`${key}\` is missing: expected ${issue.expected}` }];
      }
      return [{ path, message: `expected ${issue.expected}, found ${shown(value)}` }];
    case 'invalid_value':
      return [{ path, message: `expected ${issue.values.map(shown).join(' or ')}, found ${shown(value)}` }];
    case 'too_small':
      return [{ path, message: tooSmall(issue, value) }];
    case 'too_big':
      return [{ path, message: `expected at most ${issue.maximum}${unit(issue.origin)}, found ${size(value)}` }];
    default:
      return [{ path, message: issue.message }];
  }
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, value: unknown): string {
  return `expected at least ${issue.minimum}${unit(issue.origin)}, found ${size(value)}`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
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
    return [{ path, message: `expected ${branches.map(nameOf).join(' or ')}, found ${shown(value)}` }];
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
    if (wrong === undefined) return [{ path, message: `is empty; give one of ${known.map((key) => `\`${key}\``).join(', ')}` }];
    return [{ path, key: wrong, message: unknownKey(wrong, known) }];
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
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function dig(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The schema at a path; `undefined` where it cannot be told. */
function descend(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let current: z.ZodType | undefined = unwrap(schema);
  for (const part of path) {
    if (current === undefined) return undefined;
    const values = mappingValues.get(current);
    if (values !== undefined) current = unwrap(values);
    else if (current instanceof z.ZodObject) {
      const next: unknown = Object.hasOwn(current.shape, part) ? current.shape[part] : undefined;
      current = next instanceof z.ZodType ? unwrap(next) : undefined;
    } else if (current instanceof z.ZodArray) {
      current = current.element instanceof z.ZodType ? unwrap(current.element) : undefined;
    } else current = undefined;
  }
  return current;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (mappingValues.has(schema)) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    return inner instanceof z.ZodType ? unwrap(inner) : schema;
  }
  return schema;
}

function branchesOf(schema: z.ZodType): z.ZodType[] {
  if (!(schema instanceof z.ZodUnion)) return [];
  return schema.options.filter((option) => option instanceof z.ZodType).map(unwrap);
}

function keysOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function nameOf(schema: z.ZodType): string {
  const keys = keysOf(schema);
  if (keys.length > 0) return `{${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''}}`;
  if (schema instanceof z.ZodNumber) return 'a whole number';
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(shown).join(' or ');
  return schema.type;
}
