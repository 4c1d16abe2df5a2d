import type { BridgeAdapter, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';
import { attemptMutants } from './attempts.ts';
import { aside } from './environment-aside.ts';
import { earlyPingMutants } from './early-pings.ts';
import { outageMutants } from './outages.ts';
import { wordMutants } from './words.ts';

/** Limits of a listing, each a quarter of what is configured. The rest of the entry as it is: its words are about what was configured. */
function withShorterLimits(server: ServerSpec): ServerSpec {
  const options = Object.entries(server.options ?? {}).map(([name, value]) => [name, typeof value === 'number' && /^(?:discovery|sync)TimeoutMs$/.test(name) ? value / 4 : value] as const);
  return { ...server, options: Object.fromEntries(options) };
}

/** The last error of each server with the values that its entry configures, in the state and nowhere else. */
function withoutDiscretion(inner: BridgeAdapter): Partial<BridgeAdapter> {
  const configured = new Map<string, string>();
  return {
    open: (request) => {
      for (const server of request.servers) configured.set(server.name, Object.values((server.transport === 'stdio' ? server.env : server.headers) ?? {}).join(' '));
      return inner.open(request);
    },
    state: async () => ({ servers: (await inner.state()).servers.map((one) => ({ ...one, lastError: `${one.lastError ?? ''} ${configured.get(one.name) ?? ''}` })) }),
  };
}

/** The mutants of `connection`. */
export const connectionMutants: readonly Mutant[] = [
  mutant('CONNECTION-001', 'waits-for-a-connection', {
    kind: 'adapter',
    create: () => around((inner) => ({
      async call(request) {
        const reply = await inner.call(request);
        return reply.outcome === 'failed' && reply.executed === 'no' ? new Promise(() => undefined) : reply;
      },
    })),
  }),
  mutant('CONNECTION-002', 'keeps-reasons-to-itself', {
    kind: 'adapter',
    create: () => around((inner) => ({
      open: async (request) => ({ servers: (await inner.open(request)).servers.map(({ name, status }) => ({ name, status, message: 'connection failed' })) }),
      onNotification: (listener) => inner.onNotification((told) => {
        if (told.type !== 'log') listener(told);
      }),
    })),
  }),
  mutant('CONNECTION-003', 'redacts-nothing', { kind: 'adapter', create: () => aside(() => true) }),
  mutant('CONNECTION-003', 'goes-by-the-names', { kind: 'adapter', create: () => aside((name) => !/token|secret|key|password/i.test(name)) }),
  mutant('CONNECTION-003', 'redacts-no-headers', { kind: 'adapter', create: () => aside((name) => name.startsWith('x-')) }),
  mutant('CONNECTION-003', 'tells-the-state-everything', { kind: 'adapter', create: () => around(withoutDiscretion) }),
  mutant('CONNECTION-020', 'gives-up-at-a-quarter', {
    kind: 'adapter', create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(withShorterLimits) }) })),
  }),
  ...attemptMutants,
  ...outageMutants,
  ...wordMutants,
  ...earlyPingMutants,
];
