/** Defects with the size of messages, over HTTP and in lists. */
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { around, withStages } from '../plant.ts';

/** Knows the limit on stdio alone. */
function unlimitedOverHttp(server: ServerSpec): ServerSpec {
  const { maxMessageBytes: _limit, ...options } = server.options ?? {};
  return server.transport === 'stdio' ? server : { ...server, options };
}

/** See the names. */
export const webOversizeMutants: readonly Mutant[] = [
  mutant('WIRE-045', 'knows-no-limit-over-http', {
    kind: 'adapter', create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(unlimitedOverHttp) }) })),
  }),
  mutant('WIRE-046', 'takes-a-page-that-is-too-large-for-the-last', {
    kind: 'stage',
    create: () => withStages(() => ({
      openSession: async (options) => {
        const session = await referenceStages.openSession(options);
        return replaced(session, {
          listToolsPage: async (...args) => {
            try {
              return await session.listToolsPage(...args);
            } catch (error) {
              if (error instanceof BridgeError && error.code === 'limit-exceeded') return { tools: [], nextCursor: undefined };
              throw error;
            }
          },
        });
      },
    })),
  }),
];
