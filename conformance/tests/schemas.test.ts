import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { driverTable, withDriverTable } from '../src/schemas/driver-table.ts';
import { jsonSchemaOf, jsonSchemaText, SCHEMA_NAMES } from '../src/schemas/json-schema.ts';

/** As much of JSON Schema as the messages use. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maximum?: number;
}

it.each(SCHEMA_NAMES)('the published schema "%s" is what its source gives (regenerate: node conformance/dist/schemas/generate.js)', (name) => {
  const published = readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  expect(published).toBe(jsonSchemaText(name));
});

describe('the schema of the driver protocol', () => {
  const matches = new Ajv2020({ strict: false }).compile(jsonSchemaOf('driver'));
  it.each<[boolean, string, object]>([
    [true, 'a request', { id: 1, method: 'describe', params: { protocol: 1 } }],
    [true, 'a request with a slash in its name', { id: 2, method: 'host/set', params: { attachmentStore: 'none' } }],
    [true, 'a reply', { id: 2, result: { servers: [{ name: 'a', status: 'ready' }] } }],
    [true, 'a refusal', { id: 2, error: { code: -32601, message: 'no' } }],
    [true, 'a notification', { method: 'log', params: { level: 'info', message: 'x' } }],
    [false, 'another version', { id: 1, method: 'describe', params: { protocol: 2 } }],
    [false, 'an unknown method', { id: 1, method: 'sing', params: {} }],
    [false, 'a notification that does not fit', { method: 'log', params: { level: 'loud', message: 'x' } }],
    [false, 'a reply without anything', { id: 2 }],
  ])('says %s of %s', (fits, _what, message) => {
    expect(matches({ jsonrpc: '2.0', ...message })).toBe(fits);
  });
});

describe('the table of the driver protocol', () => {
  it('stands in the README as its source gives it (regenerate: node conformance/dist/schemas/generate.js)', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(driverTable());
    expect(withDriverTable(readme)).toBe(readme);
  });

  it('names every member of every message, and each word and largest number that is due', () => {
    const rows = driverTable().split('\n');
    const missing: string[] = [];
    const look = (message: string, node: SchemaNode): void => {
      const row = rows.filter((line) => line.startsWith(`| \`${message}\``)).join('\n');
      for (const [name, member] of Object.entries(node.properties ?? {})) {
        if (!new RegExp(`[{ ]${name}[?:, }]`).test(row)) missing.push(`${message}: ${name}`);
        const limit = member.maximum !== undefined && member.maximum < Number.MAX_SAFE_INTEGER ? [member.maximum] : [];
        const about = rows.filter((line) => new RegExp(`[\`.]${name}(?:\\[\\])?\` \\|`).test(line)).join('\n');
        const due = [...(member.enum ?? []), ...(member.items?.enum ?? []), ...(member.const === undefined ? [] : [member.const]), ...limit];
        missing.push(...due.filter((word) => !about.includes(String(word))).map((word) => `${message}: ${name}: ${String(word)}`));
      }
      const inside = [...Object.values(node.properties ?? {}), ...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.items === undefined ? [] : [node.items])];
      for (const one of inside) look(message, one);
    };
    const { $defs }: { readonly $defs: Readonly<Record<string, SchemaNode>> } = JSON.parse(jsonSchemaText('driver'));
    const messages = Object.entries($defs).filter(([name]) => /\.(?:params|result|notification)$/.test(name));
    for (const [name, node] of messages) look(name.slice(0, name.lastIndexOf('.')), node);
    expect(messages.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
    expect(rows.find((row) => row.startsWith('| `state`'))).toContain('lastError?');
  });

  it('has no place in a document without its marks', () => {
    expect(() => withDriverTable('# A document')).toThrow(/has no "<!-- driver messages/);
  });
});
