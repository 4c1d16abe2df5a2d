/** Defects in what a schema, or the bytes of a request, do to arguments. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, messageIn, onFetch, withStages, type Message } from '../plant.ts';

/** What becomes of arguments under the properties that a tool's schema names; where it names none they stay. */
const bySchema = (change: (args: Message, properties: Message) => Message): ReturnType<typeof withStages> =>
  withStages(() => ({
    buildDefinitions: (input) => {
      const schemas = new Map<string, unknown>();
      const built = referenceStages.buildDefinitions({
        ...input,
        execute: (slot, args, exec, staging) => {
          const schema = schemas.get(slot.publicName);
          const properties = isMessage(schema) ? schema['properties'] : undefined;
          return input.execute(slot, isMessage(args) && isMessage(properties) ? change(args, properties) : args, exec, staging);
        },
      });
      for (const { slot, definition } of built.tools) schemas.set(slot.publicName, definition.parameters);
      return built;
    },
  }));

const defaultsOf = (properties: Message): Message =>
  Object.fromEntries(Object.entries(properties).flatMap(([name, schema]) => (isMessage(schema) && 'default' in schema ? [[name, schema['default']]] : [])));

/** A text that reads as a number, where the schema would take one. */
const asNumber = (value: unknown, schema: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) && JSON.stringify(schema).includes('"number"') ? Number(value) : value;

/** See the names. */
export const givenArgumentMutants: readonly Mutant[] = [
  mutant('CALL-001', 'fills-in-defaults', { kind: 'stage', create: () => bySchema((args, properties) => ({ ...defaultsOf(properties), ...args })) }),
  mutant('CALL-001', 'drops-what-the-schema-does-not-name', {
    kind: 'stage',
    // The probe stays, by which calls are told apart: else every check with a schema would be blind, not broken.
    create: () => bySchema((args, properties) => Object.fromEntries(Object.entries(args).filter(([name]) => name === 'probe' || Object.hasOwn(properties, name)))),
  }),
  mutant('CALL-001', 'makes-numbers-of-texts', {
    kind: 'stage', create: () => bySchema((args, properties) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, asNumber(value, properties[name])]))),
  }),
  mutant('CALL-001', 'counts-letters-for-bytes', {
    kind: 'wire',
    // What a `Content-Length` that counts letters leaves of a body.
    create: () => onFetch(() => (send, url, init) =>
      send(url, messageIn(init)['method'] === 'tools/call' && typeof init.body === 'string' ? { ...init, body: Buffer.from(init.body).subarray(0, init.body.length) } : init)),
  }),
];
