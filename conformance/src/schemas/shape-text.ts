/**
 * Messages in words, from their JSON Schema: names of members however deep, and what each of them may be.
 */
import type { z } from 'zod';
import { definitionOf } from './convert.ts';

/** As much of JSON Schema as the messages use. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** The members of a message, those inside others too; a question mark follows what may be left out. */
export function shapeOf(schema: z.ZodType): string {
  return shapeText(definitionOf(schema)) ?? '{}';
}

/** @returns `undefined` for what has no members: its name says enough */
function shapeText(node: Node): string | undefined {
  const ways = node.anyOf ?? node.oneOf;
  if (ways !== undefined) {
    const shapes = ways.flatMap((way) => shapeText(way) ?? []);
    return shapes.length === 0 ? undefined : shapes.join(' or ');
  }
  if (node.items !== undefined) {
    const inside = shapeText(node.items);
    return inside === undefined ? '[]' : `[${inside}]`;
  }
  if (node.properties !== undefined) return `{ ${membersOf(node).join(', ')} }`.replace('{  }', '{}');
  if (typeof node.additionalProperties !== 'object') return undefined;
  return `{ <name>: ${shapeText(node.additionalProperties) ?? node.additionalProperties.type ?? 'anything'} }`;
}

function membersOf({ properties = {}, required = [] }: Node): string[] {
  return Object.entries(properties).map(([name, member]) => {
    const shape = shapeText(member);
    const inside = shape === undefined ? '' : `: ${shape}`;
    return `${name}${required.includes(name) ? '' : '?'}${inside}`;
  });
}

/** One member of a message that is more than its name: where it is, what it may be, and what it means. */
export interface MemberText {
  readonly path: string;
  /** Words, a largest number or a length; empty when anything of its kind may stand there. */
  readonly due: string;
  readonly about: string;
}

/** Members, however deep, that have a description, a choice of words or a bound. */
export function memberTexts(schema: z.ZodType): MemberText[] {
  const found = new Map<string, MemberText>();
  collect(definitionOf(schema), '', found);
  return [...found.values()];
}

function collect(node: Node, path: string, found: Map<string, MemberText>): void {
  if (path !== '') {
    const due = dueText(node);
    const about = node.description ?? node.items?.description ?? '';
    const known = found.get(path);
    // In another shape of the same message it may be another word.
    if (known !== undefined) found.set(path, { ...known, due: [...new Set([...known.due.split(', '), ...due.split(', ')])].join(', ') });
    else if (due !== '' || about !== '') found.set(path, { path, due, about });
  }
  for (const way of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) collect(way, path, found);
  if (node.items !== undefined) collect(node.items, `${path}[]`, found);
  if (typeof node.additionalProperties === 'object') collect(node.additionalProperties, `${path}.<name>`, found);
  for (const [name, member] of Object.entries(node.properties ?? {})) collect(member, path === '' ? name : `${path}.${name}`, found);
}

function dueText(node: Node): string {
  const { enum: words = node.const === undefined ? undefined : [node.const], maximum, maxLength } = node;
  if (words !== undefined) return words.map((word) => `\`${String(word)}\``).join(', ');
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`;
}
