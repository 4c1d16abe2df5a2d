/** What becomes of JSON, descriptions and schemas on their way. */
import type { BridgeAdapter, OfferedTool } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter } from '../../../subjects/minimal/index.ts';
import { liberty, type Around, type Liberty } from './vary.ts';

const VALUES = ['DISCOVERY-009', 'GENERATION-001', 'GENERATION-002', 'CALL-001'] as const;

/** The same value with its keys in the order of the alphabet, as a map of another language gives them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // Through pairs, since a key may be `__proto__`.
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}

/** Every offered tool, also in what is told, goes through here. */
const offering = (change: (tool: OfferedTool) => OfferedTool): Around => (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  tools: async () => {
    const { revision, tools } = await inner.tools();
    return { revision, tools: tools.map(change) };
  },
  onNotification: (listener) => inner.onNotification((told) => listener(told.type === 'registry' ? { ...told, tools: told.tools.map(change) } : told)),
});

function normalised(schema: unknown): unknown {
  const given = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : {};
  return { properties: {}, required: [], ...given, $schema: undefined, type: 'object', additionalProperties: false };
}

/** Liberties of values. */
export const fidelityLiberties: readonly Liberty[] = [
  liberty('does not keep the order of keys', VALUES, { declares: { fidelity: { keyOrder: false, bigNumbers: false } } }, (inner) => ({
    ...offering((tool) => ({ ...tool, parameters: sorted(tool.parameters) }))(inner),
    call: async (request) => {
      const reply = await inner.call({ ...request, arguments: sorted(request.arguments) });
      return 'value' in reply ? { ...reply, value: sorted(reply.value) } : reply;
    },
  })),
  liberty('rewrites schemas for its models', VALUES, {}, offering((tool) => ({ ...tool, parameters: JSON.parse(JSON.stringify(normalised(tool.parameters))) }))),
  liberty('says in each description where the tool comes from', VALUES, {}, offering((tool) => ({ ...tool, description: `(from ${tool.name.split('.')[0]}) ${tool.description}\n` }))),
];
