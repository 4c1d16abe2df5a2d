import type { BridgeAdapter, OpenReply, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

/** Says that all is ready, and begins. */
function hasty(inner: BridgeAdapter): Partial<BridgeAdapter> {
  let opening: Promise<OpenReply> | undefined;
  return {
    async open(request) {
      opening = inner.open(request);
      opening.catch(() => undefined);
      return { servers: request.servers.map(({ name }) => ({ name, status: 'ready' })) };
    },
    async close() {
      await opening?.catch(() => undefined);
      await inner.close();
    },
  };
}

/** How many servers the narrow one takes. */
const ROOM = 3;

/** Takes so many servers and no more. */
function narrow(inner: BridgeAdapter): Partial<BridgeAdapter> {
  return {
    async open({ servers, ...rest }) {
      const reply = await inner.open({ ...rest, servers: servers.slice(0, ROOM) });
      return { servers: [...reply.servers, ...servers.slice(ROOM).map(({ name }) => ({ name, status: 'rejected' as const, message: 'there is one already' }))] };
    },
  };
}

/** Starts the new one while the old one is still being ended. */
function overlapping(inner: BridgeAdapter): Partial<BridgeAdapter> {
  const entries = new Map<string, ServerSpec>();
  return {
    open: (request) => {
      for (const server of request.servers) entries.set(server.name, server);
      return inner.open(request);
    },
    async reload(name) {
      const entry = entries.get(name);
      if (entry === undefined) return inner.reload(name);
      const removal = inner.remove(name);
      const reply = await inner.add(entry);
      await removal;
      return reply;
    },
  };
}

/** Remembers the first entry of each name. */
function stuck(inner: BridgeAdapter): Partial<BridgeAdapter> {
  const entries = new Map<string, ServerSpec>();
  const first = (server: ServerSpec): ServerSpec => {
    const known = entries.get(server.name) ?? server;
    entries.set(server.name, known);
    return known;
  };
  return {
    open: ({ servers, ...rest }) => {
      entries.clear();
      return inner.open({ ...rest, servers: servers.map(first) });
    },
    add: (server) => inner.add(first(server)),
  };
}

/** The mutants of `host`. */
export const hostMutants: readonly Mutant[] = [
  mutant('HOST-001', 'answers-at-once', {
    kind: 'adapter',
    // Who says "ready" before anything was tried also hides what went wrong at the start.
    create: () => around(hasty),
  }),
  mutant('HOST-002', 'takes-three', { kind: 'adapter', create: () => around(narrow) }),
  mutant('HOST-003', 'starts-the-new-one-first', { kind: 'adapter', create: () => around(overlapping, { disposeSteps: ['stop-work', 'unregister-tools', 'free-name', 'close-connection', 'await-work'] }) }),
  mutant('HOST-003', 'ignores-an-edit', { kind: 'adapter', create: () => around(stuck) }),
];
