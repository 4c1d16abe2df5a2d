import type { ServerReply, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';
import { startupMutants } from './startup.ts';

/** An entry whose `reconnect` nobody looks at. */
function withoutReconnect(server: ServerSpec): ServerSpec {
  const { reconnect: _reconnect, ...options } = server.options ?? {};
  return { ...server, options };
}

const vague = (reply: ServerReply): ServerReply => (reply.status === 'rejected' ? { ...reply, message: `${reply.name}: the entry is wrong` } : reply);

/** The mutants of `config`. */
export const configMutants: readonly Mutant[] = [
  mutant('CONFIG-001', 'never-looks-at-reconnect', {
    kind: 'adapter',
    create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(withoutReconnect) }) })),
  }),
  mutant('CONFIG-001', 'does-not-say-which-member', {
    kind: 'adapter',
    create: () => around((inner) => ({ open: async (request) => ({ servers: (await inner.open(request)).servers.map(vague) }) })),
  }),
  mutant('CONFIG-002', 'lets-the-later-one-win', {
    kind: 'adapter',
    create: () => around((inner) => ({
      async add(server) {
        const { servers } = await inner.state();
        if (servers.some(({ name, state }) => name === server.name && state !== 'disposed')) await inner.remove(server.name);
        return inner.add(server);
      },
    })),
  }),
  ...startupMutants,
];
