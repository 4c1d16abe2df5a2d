/** Finding one's way in a schema: what stands at a place, and which words are known there. */
import { z } from 'zod';
import { mappingValues } from './json.ts';

/** A place: keys and indices from the root. */
export type Path = readonly (string | number)[];

/** The value at a place; `undefined` where there is none. */
export function dig(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The schema at a path; `undefined` where it cannot be told. The value decides which branch of a union is meant. */
export function descend(schema: z.ZodType, path: Path, root: unknown): z.ZodType | undefined {
  let current: z.ZodType | undefined = unwrap(schema);
  for (const [depth, part] of path.entries()) {
    if (current instanceof z.ZodUnion) current = likeliestBranch(current, dig(root, path.slice(0, depth)));
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

/** The branch that knows most keys of the value. */
export function likeliestBranch(union: z.ZodUnion, value: unknown): z.ZodType | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const present = Object.keys(value);
  const known = (branch: z.ZodType): number => present.filter((key) => keysOf(branch).includes(key)).length;
  return branchesOf(union).filter((branch) => known(branch) > 0).sort((a, b) => known(b) - known(a))[0];
}

/** The schema without what makes it optional, null or filled in. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (mappingValues.has(schema)) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    return inner instanceof z.ZodType ? unwrap(inner) : schema;
  }
  return schema;
}

/** The branches of a union, none of anything else. */
export function branchesOf(schema: z.ZodType): z.ZodType[] {
  if (!(schema instanceof z.ZodUnion)) return [];
  return schema.options.filter((option) => option instanceof z.ZodType).map(unwrap);
}

/** The keys of an object, none of anything else. */
export function keysOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
