/** Defects in what becomes of the entries of a list. */
import { referenceStages, type BuiltTool } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an entry is what the specification says a tool is, as a strict reader sees it. */
function isProper(tool: unknown): boolean {
  return isObject(tool) && typeof tool['name'] === 'string' && isObject(tool['inputSchema']) && tool['inputSchema']['type'] === 'object';
}

function nameOf(tool: unknown): unknown {
  return isObject(tool) ? tool['name'] : undefined;
}

/** A tool that takes any object where its schema has no object root. */
function rooted(tool: BuiltTool): BuiltTool {
  return tool.definition.parameters['type'] === 'object' ? tool : { ...tool, definition: { ...tool.definition, parameters: { type: 'object' } } };
}

/** Built tools, each changed. */
const building = (change: (tool: BuiltTool) => BuiltTool): ReturnType<typeof withStages> =>
  withStages(() => ({
    buildDefinitions: (input) => {
      const built = referenceStages.buildDefinitions(input);
      return { ...built, tools: built.tools.map(change) };
    },
  }));

/** See the names. */
export const entryMutants: readonly Mutant[] = [
  mutant('DISCOVERY-006', 'takes-the-first-of-two', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        checkList: (input) => referenceStages.checkList({ ...input, listed: input.listed.filter((tool, at) => input.listed.findIndex((other) => nameOf(other) === nameOf(tool)) === at) }),
      })),
  }),
  mutant('DISCOVERY-006', 'takes-the-first-of-one-public-name', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        checkList: (input) => {
          const publicOf = (tool: unknown): string => referenceStages.publicToolName(input.serverName, String(nameOf(tool)));
          const listed = input.listed.filter((tool, at) => !input.listed.slice(0, at).some((other) => nameOf(other) !== nameOf(tool) && publicOf(other) === publicOf(tool)));
          return referenceStages.checkList({ ...input, listed });
        },
      })),
  }),
  mutant('DISCOVERY-007', 'numbers-the-second', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        checkList: (input) => {
          const isFirst = input.listed.map((tool, at) => input.listed.findIndex((other) => nameOf(other) === nameOf(tool)) === at);
          const checked = referenceStages.checkList({ ...input, listed: input.listed.filter((_tool, at) => isFirst[at]) });
          const again = referenceStages.checkList({ ...input, listed: input.listed.filter((_tool, at) => !isFirst[at]) });
          return { ...checked, tools: [...checked.tools, ...again.tools.map((tool) => ({ ...tool, publicName: `${tool.publicName}_2` }))] };
        },
      })),
  }),
  mutant('DISCOVERY-008', 'sorts-keys', {
    kind: 'stage',
    create: () => building((tool) => ({ ...tool, definition: { ...tool.definition, parameters: Object.fromEntries(Object.entries(tool.definition.parameters).sort(([a], [b]) => (a < b ? -1 : 1))) } })),
  }),
  mutant('DISCOVERY-008', 'marks-descriptions', {
    kind: 'stage',
    create: () => building((tool) => ({ ...tool, definition: { ...tool.definition, description: `[mcp] ${tool.definition.description}` } })),
  }),
  mutant('DISCOVERY-009', 'reads-lists-strictly', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        drainTools: async (...args) => {
          const tools = await referenceStages.drainTools(...args);
          if (!tools.every(isProper)) throw new Error('the answer does not fit the schema of tools/list');
          return tools;
        },
      })),
  }),
  mutant('DISCOVERY-010', 'skips-in-silence', {
    kind: 'stage',
    create: () => withStages(() => ({ checkList: (input) => ({ ...referenceStages.checkList({ ...input, listed: input.listed.filter(isProper) }), skipped: [] }) })),
  }),
  mutant('DISCOVERY-014', 'replaces-odd-roots-in-silence', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        buildDefinitions: (input) => {
          const { tools } = referenceStages.buildDefinitions(input);
          return { tools: tools.map(rooted), oddities: [] };
        },
      })),
  }),
  mutant('DISCOVERY-015', 'hands-odd-roots-on-in-silence', {
    kind: 'stage',
    create: () =>
      withStages(() => ({
        buildDefinitions: (input) => {
          const built = referenceStages.buildDefinitions(input);
          return { ...built, oddities: built.oddities.filter((line) => !line.includes('object root')) };
        },
      })),
  }),
];
