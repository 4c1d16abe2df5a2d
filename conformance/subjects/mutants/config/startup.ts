/** Defects in first connections, names that become free, defaults and headers. */
import type { BridgeAdapter, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { referenceStages, type BridgeStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { around, connecting, ownFetch, withStages } from '../plant.ts';

const { decideReconnect, drainTools, openSession, swapGeneration } = referenceStages;

/** Every entry is read otherwise. */
const reading = (read: (server: ServerSpec) => ServerSpec): ReturnType<typeof around> =>
  around((inner) => ({
    open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(read) }),
    add: (server) => inner.add(read(server)),
  }));

const withOptions = (server: ServerSpec, options: Readonly<Record<string, unknown>>): ServerSpec => ({ ...server, options: { ...server.options, ...options } });

function without(server: ServerSpec, option: string): ServerSpec {
  const { [option]: _left, ...options } = server.options ?? {};
  return { ...server, options };
}

/** A name whose removal is under way counts as live. */
function impatient(inner: BridgeAdapter): Partial<BridgeAdapter> {
  const leaving = new Set<string>();
  return {
    async remove(name) {
      leaving.add(name);
      await inner.remove(name);
      leaving.delete(name);
    },
    add: async (server) => (leaving.has(server.name) ? { name: server.name, status: 'rejected', message: `"${server.name}" is taken` } : inner.add(server)),
  };
}

/** The connection whose first listing failed is forgotten rather than closed. */
const forgetting = (): Partial<BridgeStages> => ({
  openSession: async (options) => {
    const session = await openSession(options);
    return replaced(session, {
      close: async () => {
        if (options.signal?.aborted === true) await session.close();
      },
    });
  },
});

/** A listing that fails after a notice is left to the refresh that the notice asks for. */
function leavingItToTheNotice(): Partial<BridgeStages> {
  const noticed = new Set<string>();
  return {
    openSession: (options) => openSession({
      ...options,
      listeners: {
        ...options.listeners,
        onToolListChanged: () => {
          noticed.add(options.serverName);
          options.listeners.onToolListChanged();
        },
      },
    }),
    drainTools: async (server, ...rest) => {
      try {
        return await drainTools(server, ...rest);
      } catch (error) {
        if (noticed.has(server)) return [];
        throw error;
      }
    },
  };
}

type Fetch = NonNullable<NonNullable<Parameters<BridgeStages['openSession']>[0]['effects']>['fetch']>;

/** The reference that sends its requests otherwise. `headers` are the configured ones. */
const sending = (send: (headers: Readonly<Record<string, string>>) => Fetch): ReturnType<typeof connecting> =>
  connecting((options) => ({
    ...options,
    effects: { ...options.effects, ...ownFetch(send(options.target.transport === 'streamable-http' ? (options.target.headers ?? {}) : {})) },
  }));

/** Configured headers go with messages only. */
const withPostsOnly: (headers: Readonly<Record<string, string>>) => Fetch = (configured) => (url, init) => {
  const headers = new Headers(init?.headers);
  if (init?.method !== 'POST') for (const name of Object.keys(configured)) headers.delete(name);
  return fetch(url, { ...init, headers });
};

/** A redirect is followed with everything, wherever it leads. */
const withEverything: (headers: Readonly<Record<string, string>>) => Fetch = () => async (url, init) => {
  const response = await fetch(url, init);
  const to = response.headers.get('location');
  return response.status === 307 && to !== null ? fetch(to, init) : response;
};

/** A redirect is followed as the platform's client follows it, which keeps what it does not know for a secret. */
const withThePlatform: (headers: Readonly<Record<string, string>>) => Fetch = () => (url, init) => fetch(url, { ...init, redirect: 'follow' });

/** What is configured wins. */
const withTheirs: (headers: Readonly<Record<string, string>>) => Fetch = (configured) => (url, init) => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(configured)) headers.set(name, value);
  return fetch(url, { ...init, headers });
};

/** See the names. */
export const startupMutants: readonly Mutant[] = [
  mutant('CONFIG-010', 'takes-a-leaving-name-for-a-live-one', { kind: 'adapter', create: () => around(impatient) }),
  mutant('CONFIG-010', 'frees-the-name-first', { kind: 'stage', create: () => withStages(() => ({ disposeSteps: ['stop-work', 'unregister-tools', 'free-name', 'close-connection', 'await-work'] })) }),
  mutant('CONFIG-010', 'waits-without-a-bound', { kind: 'adapter', create: () => reading((server) => without(server, 'nameWaitMs')) }),
  mutant('CONFIG-011', 'always-strict', { kind: 'adapter', create: () => reading((server) => withOptions(server, { failOnStartupError: true })) }),
  mutant('CONFIG-011', 'gives-up-a-first-start', {
    kind: 'stage', create: () => withStages(() => ({ decideReconnect: (policy, state, nowMs) => decideReconnect(state.stableSinceMs === undefined ? { ...policy, enabled: false } : policy, state, nowMs) })),
  }),
  mutant('CONFIG-011', 'forgets-to-close', { kind: 'stage', create: () => withStages(forgetting) }),
  mutant('CONFIG-012', 'never-strict', { kind: 'adapter', create: () => reading((server) => without(server, 'failOnStartupError')) }),
  mutant('CONFIG-012', 'a-notice-uses-it-up', { kind: 'stage', create: () => withStages(leavingItToTheNotice) }),
  mutant('CONFIG-013', 'a-conflict-is-an-outage', {
    kind: 'stage',
    create: () => withStages(() => ({
      swapGeneration: (input) => {
        const outcome = swapGeneration(input);
        if (outcome.conflict !== undefined) throw outcome.conflict;
        return outcome;
      },
    })),
  }),
  mutant('CONFIG-014', 'off-unless-asked-for', { kind: 'adapter', create: () => reading((server) => ('reconnect' in (server.options ?? {}) ? server : withOptions(server, { reconnect: { enabled: false } }))) }),
  mutant('CONFIG-014', 'another-first-delay', { kind: 'adapter', create: () => reading((server) => ('reconnect' in (server.options ?? {}) ? server : withOptions(server, { reconnect: { initialDelayMs: 100 } }))) }),
  mutant('CONFIG-015', 'headers-with-posts-only', { kind: 'wire', create: () => sending(withPostsOnly) }),
  mutant('CONFIG-015', 'headers-wherever-it-is-sent', { kind: 'wire', create: () => sending(withEverything) }),
  mutant('CONFIG-015', 'lets-headers-override', { kind: 'wire', create: () => sending(withTheirs) }),
  mutant('CONFIG-016', 'follows-as-the-platform-does', { kind: 'wire', create: () => sending(withThePlatform) }),
];
