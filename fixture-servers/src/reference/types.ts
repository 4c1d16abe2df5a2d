/** What may stand as the value of a word, in a few words of a person. */
import { z } from 'zod';
import { mappingValues } from '../scenario/json.ts';
import { branchesOf, unwrap } from '../scenario/schema-walk.ts';
import { sectionOf, type Word } from './words.ts';

/** What a number of these names is. */
const UNITS: Readonly<Record<string, string>> = {
  delay: 'ms', after: 'ms', bytes: 'bytes', splitAt: 'byte offsets', exit: 'exit code', status: 'HTTP status', code: 'error code',
  pageSize: 'tools', count: 'tools', images: 'images', maxChars: 'characters',
};

/** How a word that is true or false is told. */
export const BOOLEAN = '`true`, `false`';

/** Type, bounds and unit of a word's value, as Markdown. */
export function typeOf(word: Word): string {
  const type = typeText(word.schema);
  const [last = ''] = word.name.split('.').slice(-1);
  const unit = last.endsWith('Ms') ? 'ms' : UNITS[last];
  return unit !== undefined && type.includes('whole number') ? `${type} (${unit})` : type;
}

function typeText(given: z.ZodType): string {
  if (given instanceof z.ZodNullable) return `${typeText(unwrap(given))} or \`null\``;
  const schema = unwrap(given);
  const section = sectionOf(schema);
  if (section !== undefined) return `[${section.title.toLowerCase()}](#${section.title.toLowerCase().replaceAll(' ', '-')})`;
  const values = mappingValues.get(schema);
  if (values !== undefined) return `mapping of name to ${typeText(values)}`;
  if (schema instanceof z.ZodUnion) return [...new Set(branchesOf(schema).map((branch) => typeText(branch)))].join(' or ');
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) return `list of ${typeText(schema.element)}${entries(json(schema))}`;
  if (schema instanceof z.ZodObject) return 'mapping';
  return scalarText(json(schema));
}

function entries({ minItems: min, maxItems: max }: Json): string {
  if (min === undefined && max === undefined) return '';
  if (max === undefined) return `; at least ${min} of them`;
  return min === undefined ? `; at most ${max} of them` : `; ${min} to ${max} of them`;
}

/** The members of a JSON Schema that are looked at. */
interface Json {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly contentEncoding?: string;
  readonly anyOf?: readonly Json[];
}

function json(schema: z.ZodType): Json {
  const made: Json = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  return made;
}

function scalarText(of: Json): string {
  if (of.const !== undefined) return `\`${JSON.stringify(of.const)}\``;
  if (of.enum !== undefined) return of.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (of.anyOf !== undefined) return of.anyOf.map((each) => scalarText(each)).join(' or ');
  switch (of.type) {
    case 'integer':
      return `whole number${range(of.minimum, of.maximum)}`;
    case 'string':
      if (of.contentEncoding === 'base64') return 'text in base64';
      return of.maxLength === undefined ? 'text' : `text of ${of.minLength ?? 0} to ${of.maxLength} characters`;
    case 'boolean':
      return BOOLEAN;
    case 'object':
      return 'mapping';
    case 'null':
      return '`null`';
    default:
      return 'anything';
  }
}

/** Bounds, without those that are only the ends of what a number can hold. */
function range(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): string {
  const isLow = min !== Number.MIN_SAFE_INTEGER;
  const isHigh = max !== Number.MAX_SAFE_INTEGER;
  if (isLow && isHigh) return ` from ${min} to ${max}`;
  return isLow ? `, at least ${min}` : isHigh ? `, at most ${max}` : '';
}
