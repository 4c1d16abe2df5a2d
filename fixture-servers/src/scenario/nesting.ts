/** A word that is known, in a place where it is not: where it belongs. */
import { z } from 'zod';
import { branchesOf, descend, keysOf, unwrap, type Path } from './schema-walk.ts';

/** How far inside a place its word is looked for: from a scenario down to the members of a rule's action. */
const MAX_DEPTH = 4;

/** Where a word belongs. */
export interface Belongs {
  readonly hint: string;
  /** The key beside it that the word belongs into, and that is likely missing for this reason. */
  readonly missing?: string;
}

/** Where the word `key`, which the object at `path` does not know, belongs: around that place, or else inside of it. */
export function placeOf(key: string, schema: z.ZodType, value: unknown, path: Path): Belongs | undefined {
  for (let length = path.length - 1; length >= 0; length -= 1) {
    if (knows(descend(schema, path.slice(0, length), value), key)) return { hint: `it belongs beside \`${String(path[length])}\`` };
  }
  const at = path.length === 0 ? unwrap(schema) : descend(schema, path, value);
  const inside = at === undefined ? undefined : trailTo(key, at, MAX_DEPTH);
  if (inside === undefined) return undefined;
  const [first] = inside;
  return { hint: `it belongs into \`${inside.join('.')}\``, ...(first === undefined ? {} : { missing: first.replace('[]', '') }) };
}

function knows(schema: z.ZodType | undefined, key: string): boolean {
  return schema instanceof z.ZodObject && keysOf(schema).includes(key);
}

/** The shortest way to an object that knows the key; entries of lists are written `do[]`. */
function trailTo(key: string, from: z.ZodType, depth: number): string[] | undefined {
  let level: { readonly schema: z.ZodType; readonly trail: readonly string[] }[] = [{ schema: from, trail: [] }];
  for (let step = 0; step < depth; step += 1) {
    const next: typeof level = [];
    for (const { schema, trail } of level) {
      for (const [name, member] of membersOf(schema)) {
        const isList = member instanceof z.ZodArray && member.element instanceof z.ZodType;
        const inner = isList && member.element instanceof z.ZodType ? unwrap(member.element) : member;
        const way = [...trail, isList ? `${name}[]` : name];
        if ([inner, ...branchesOf(inner)].some((each) => knows(each, key))) return way;
        next.push({ schema: inner, trail: way });
      }
    }
    level = next;
  }
  return undefined;
}

function membersOf(schema: z.ZodType): [string, z.ZodType][] {
  return [schema, ...branchesOf(schema)].flatMap((each) =>
    each instanceof z.ZodObject
      ? Object.entries(each.shape).flatMap(([name, member]): [string, z.ZodType][] => (member instanceof z.ZodType ? [[name, unwrap(member)]] : []))
      : []);
}
