/** Defects in outages over HTTP alone: everything is right over stdio. */
import { setTimeout as wait } from 'node:timers/promises';
import type { AdapterFactory, BridgeAdapter, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

/** Over HTTP the retries of an entry are others than it says. */
const retrying = (otherwise: Readonly<Record<string, unknown>>): AdapterFactory => {
  const changed = (server: ServerSpec): ServerSpec => {
    const { reconnect } = server.options ?? {};
    const isOn = typeof reconnect === 'object' && reconnect !== null;
    return server.transport === 'stdio' || !isOn ? server : { ...server, options: { ...server.options, reconnect: { ...reconnect, ...otherwise } } };
  };
  return around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(changed) }), add: (server) => inner.add(changed(server)) }));
};

/** A call that finds no connection over HTTP is kept until there is one, or until it was kept for long enough. */
function queueing(inner: BridgeAdapter): Partial<BridgeAdapter> {
  let isWeb = false;
  return {
    open: (request) => {
      isWeb = request.servers.every(({ transport }) => transport === 'streamable-http');
      return inner.open(request);
    },
    async call(request) {
      const deadlineMs = performance.now() + KEPT_MS;
      for (;;) {
        const reply = await inner.call(request);
        if (!isWeb || reply.outcome !== 'failed' || reply.executed !== 'no' || performance.now() > deadlineMs) return reply;
        await wait(10);
      }
    },
  };
}
/** Longer than a call may take that fails at once. */
const KEPT_MS = 4_500;

/** See the names. */
export const webOutageMutants: readonly Mutant[] = [
  mutant('CONNECTION-042', 'retries-without-a-pause', { kind: 'adapter', create: () => retrying({ initialDelayMs: 1, maxDelayMs: 1 }) }),
  mutant('CONNECTION-042', 'waits-the-first-delay-only', { kind: 'adapter', create: () => retrying({ maxDelayMs: 50, initialDelayMs: 50 }) }),
  mutant('CONNECTION-042', 'never-gives-up', { kind: 'adapter', create: () => retrying({ maxAttempts: 1_000 }) }),
  mutant('CONNECTION-043', 'keeps-calls-for-later', { kind: 'adapter', create: () => around(queueing) }),
];
