/** Every word of both languages, read off the schemas, and which of them a text uses. */
import { z } from 'zod';
import { mappingValues } from '../scenario/json.ts';
import { branchesOf, keysOf, unwrap } from '../scenario/schema-walk.ts';
import { SECTIONS, type Section } from './sections.ts';

/** A word: a key that may stand somewhere. */
export interface Word {
  /** `<section>.<name>`. */
  readonly id: string;
  readonly section: Section;
  /** The key, with those around it up to its section: `generate.count`. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** What it means; empty where the schema does not say. */
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether it tells its kind from the others: one of several words that exclude each other. */
  readonly isChoice: boolean;
  /** What stands there when it is left out, where the schema fills it in. */
  readonly defaultValue: unknown;
}

/** What is walked: a place of the languages, and the value there, if it is a text that is walked. */
interface Place {
  readonly section: Section;
  /** The names around, each with a dot. */
  readonly prefix: string;
  readonly value?: { readonly is: unknown };
  /** The union of which the schema is a branch. */
  readonly union?: z.ZodType;
}

/** Descriptions of kinds of values, which say nothing about a word. */
const GENERIC: ReadonlySet<string> = new Set(['Any JSON value.', 'A JSON object.', 'A short name, 1 to 128 characters.']);

/** The words of a section, in the order of its schema. */
export function wordsOf(section: Section): Word[] {
  const words = new Map<string, Word>();
  walk(section.schema, { section, prefix: '' }, (word) => {
    const known = words.get(word.id);
    if (known === undefined || (known.description === '' && word.description !== '')) words.set(word.id, word);
  });
  return [...words.values()];
}

/** The ids of all words that a value of a section uses, those of other sections inside it included. */
export function usedIn(section: Section, value: unknown): Set<string> {
  const ids = new Set<string>();
  walk(section.schema, { section, prefix: '', value: { is: value } }, ({ id }) => void ids.add(id));
  return ids;
}

/** The section whose schema this is, whatever description it was given where it is used. */
export function sectionOf(schema: z.ZodType): Section | undefined {
  return SECTIONS.find((section) => section.schema.def === schema.def);
}

function walk(given: z.ZodType, place: Place, visit: (word: Word) => void): void {
  const schema = unwrap(given);
  const other = sectionOf(schema);
  if (other !== undefined && (other !== place.section || place.prefix !== '')) {
    // Another part tells its own words; a text is followed into it.
    if (place.value !== undefined) walk(schema, { section: other, prefix: '', value: place.value }, visit);
    return;
  }
  const values = mappingValues.get(schema);
  if (values !== undefined) {
    const inner = { ...place, prefix: `${place.prefix}<name>.` };
    if (place.value === undefined) walk(values, inner, visit);
    else for (const is of Object.values(membersOf(place.value.is))) walk(values, { ...inner, value: { is } }, visit);
  } else if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) {
    const { element } = schema;
    if (place.value === undefined) walk(element, place, visit);
    else if (Array.isArray(place.value.is)) for (const is of place.value.is) walk(element, { ...place, value: { is } }, visit);
  } else if (schema instanceof z.ZodUnion) {
    for (const branch of branchesOf(schema)) walk(branch, { ...place, union: schema }, visit);
  } else if (schema instanceof z.ZodObject) walkObject(schema, place, visit);
}

function walkObject(schema: z.ZodObject, { section, prefix, value, union }: Place, visit: (word: Word) => void): void {
  const members = value === undefined ? undefined : membersOf(value.is);
  for (const [key, member] of Object.entries(schema.shape)) {
    if (!(member instanceof z.ZodType) || (members !== undefined && !Object.hasOwn(members, key))) continue;
    const name = `${prefix}${key}`;
    const isAlone = isOfOneBranch(key, schema, union);
    const isRequired = !isOptional(member);
    const description = ownDescription(member) || (isAlone ? ownDescription(schema) : '');
    const defaultValue: unknown = member instanceof z.ZodDefault ? member.def.defaultValue : undefined;
    visit({ id: `${section.id}.${name}`, section, name, schema: member, description, isRequired, isChoice: isRequired && isAlone && objectsOf(union) > 1, defaultValue });
    walk(member, { section, prefix: `${name}.`, ...(members === undefined ? {} : { value: { is: members[key] } }) }, visit);
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
}

/** Whether the description of a branch is that of this key: no other branch has it. */
function isOfOneBranch(key: string, branch: z.ZodType, union: z.ZodType | undefined): boolean {
  return union !== undefined && branchesOf(union).every((other) => other === branch || !keysOf(other).includes(key));
}

/** How many kinds of mappings a union has. */
function objectsOf(union: z.ZodType | undefined): number {
  return union === undefined ? 0 : branchesOf(union).filter((branch) => branch instanceof z.ZodObject).length;
}

function ownDescription(schema: z.ZodType): string {
  const said = schema.meta()?.description;
  if (said !== undefined && !GENERIC.has(said)) return said;
  const inner = unwrap(schema);
  return inner === schema ? '' : ownDescription(inner);
}

/** Whether it may be left out. A value of any kind may be too, but where the language wants one it says so. */
function isOptional(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}
