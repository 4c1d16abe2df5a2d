/** Defects in what follows a lost session or server over HTTP. */
import { setTimeout as wait } from 'node:timers/promises';
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages, type BridgeStages, type RawToolPage } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { around, connecting, messageIn, onFetch, ownFetch, withStages } from '../plant.ts';

const SESSION_HEADER = 'mcp-session-id';

/** Every handshake after the first names the session that the one before gave. Each run of a check has an address of its own. */
const namingTheOld = (): ReturnType<typeof onFetch> => onFetch(() => {
  const last = new Map<string, string>();
  return async (send, url, init) => {
    const headers = new Headers(init.headers);
    const known = last.get(String(url));
    if (messageIn(init)['method'] === 'initialize' && known !== undefined) headers.set(SESSION_HEADER, known);
    const response = await send(url, { ...init, headers });
    const given = response.headers.get(SESSION_HEADER);
    if (given !== null) last.set(String(url), given);
    return response;
  };
});

/** What a server over HTTP listed first is what it lists for ever. */
function keepingTheFirstList(): Partial<BridgeStages> {
  const pages = new Map<string, Promise<RawToolPage>>();
  return {
    openSession: async (options) => {
      const session = await referenceStages.openSession(options);
      if (options.target.transport === 'stdio') return session;
      const { url } = options.target;
      return replaced(session, {
        listToolsPage: (cursor, limits) => {
          const page = pages.get(url) ?? session.listToolsPage(cursor, limits);
          pages.set(url, page);
          return page;
        },
      });
    },
  };
}

/** A server at whose address nothing good answered once is not tried again. */
function discouraged(): Partial<BridgeStages> {
  const bad = new Set<string>();
  return {
    openSession: async (options) => {
      if (options.target.transport === 'stdio') return referenceStages.openSession(options);
      const { url } = options.target;
      if (bad.has(url)) throw new BridgeError('connect-failed', 'it could not be reached before');
      try {
        return await referenceStages.openSession(options);
      } catch (error) {
        bad.add(url);
        throw error;
      }
    },
  };
}

/** A call that its server refused for its session is sent again in the next one. */
function sendingRefusedAgain(): Partial<BridgeStages> {
  const refused = new Map<string, readonly [string, Parameters<Awaited<ReturnType<typeof referenceStages.openSession>>['callTool']>[1]]>();
  return {
    openSession: async (options) => {
      const session = await referenceStages.openSession(options);
      const left = refused.get(options.serverName);
      refused.delete(options.serverName);
      if (left !== undefined) void session.callTool(...left, { timeoutMs: 5_000 }).catch(() => undefined);
      return replaced(session, {
        callTool: async (rawName, args, limits) => {
          try {
            return await session.callTool(rawName, args, limits);
          } catch (error) {
            if (error instanceof BridgeError && error.code === 'http-error') refused.set(options.serverName, [rawName, args]);
            throw error;
          }
        },
      });
    },
  };
}

/** Connects twice after a loss, and throws the first away. */
function shakingTwice(): Partial<BridgeStages> {
  const known = new Set<string>();
  return {
    openSession: async (options) => {
      if (options.target.transport === 'stdio') return referenceStages.openSession(options);
      const { url } = options.target;
      if (known.has(url)) await (await referenceStages.openSession(options)).close();
      known.add(url);
      return referenceStages.openSession(options);
    },
  };
}

const DELETED = new Response(null, { status: 204 });

/** Sessions are given back when everything is closed, not before. */
const givingBackLast = (): AdapterFactory => () => {
  const kept: (() => Promise<unknown>)[] = [];
  const keeping: typeof fetch = (url, init = {}) => {
    if (init.method !== 'DELETE') return fetch(url, init);
    const { signal: _signal, ...later } = init;
    kept.push(() => fetch(url, later));
    return Promise.resolve(DELETED.clone());
  };
  return around(
    (inner) => ({
      async close() {
        await inner.close();
        await Promise.allSettled(kept.splice(0).map((send) => send()));
      },
    }),
    { openSession: (options) => referenceStages.openSession({ ...options, effects: { ...options.effects, ...ownFetch(keeping) } }) },
  )();
};

/** A session whose list could not be read is forgotten, not given back. */
const forgettingTheUseless = (): AdapterFactory => onFetch(() => {
  const useless = new Set<string | null>();
  return async (send, url, init) => {
    const session = new Headers(init.headers).get(SESSION_HEADER);
    if (init.method === 'DELETE' && useless.has(session)) return DELETED.clone();
    const response = await send(url, init);
    if (messageIn(init)['method'] === 'tools/list' && (await response.clone().text()).includes('"error"')) useless.add(session);
    return response;
  };
});

/** A call that was under way when its server was removed is forgotten. */
const forgettingCalls = (): AdapterFactory => around((inner) => {
  let isRemoving = false;
  return {
    async call(request) {
      const wasRemoving = isRemoving;
      const reply = await inner.call(request);
      return isRemoving && !wasRemoving ? new Promise<never>(() => undefined) : reply;
    },
    async remove(name) {
      isRemoving = true;
      await inner.remove(name);
      // What was under way has settled by then.
      await wait(FORGETTING_MS);
      isRemoving = false;
    },
  };
});
const FORGETTING_MS = 50;

/** See the names. */
export const httpRecoveryMutants: readonly Mutant[] = [
  mutant('CONNECTION-030', 'names-the-old-session', { kind: 'wire', create: namingTheOld }),
  mutant('CONNECTION-031', 'keeps-the-list-of-before', { kind: 'stage', create: () => withStages(keepingTheFirstList) }),
  mutant('CONNECTION-031', 'tries-once', { kind: 'stage', create: () => withStages(discouraged) }),
  mutant('CONNECTION-032', 'sends-refused-calls-again', { kind: 'stage', create: () => withStages(sendingRefusedAgain) }),
  mutant('CONNECTION-032', 'shakes-hands-twice', { kind: 'stage', create: () => withStages(shakingTwice) }),
  mutant('CONNECTION-032', 'takes-the-error-for-the-tool-s-own', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      if (response.status !== 200 || response.headers.get('content-type') !== 'application/json') return response;
      return new Response((await response.text()).replace('"code":-32001', '"code":-32603'), { headers: response.headers });
    }),
  }),
  mutant('CONNECTION-051', 'hears-it-by-calls-alone', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      const { id, method } = messageIn(init);
      if (response.status !== 404 || method === 'tools/call' || method === 'initialize') return response;
      if (method === 'ping') return Response.json({ jsonrpc: '2.0', id, result: {} });
      return new Response(null, { status: init.method === 'GET' ? 405 : 500 });
    }),
  }),
  mutant('CONNECTION-036', 'goes-straight', {
    kind: 'stage', create: () => connecting((options) => ({ ...options, effects: { ...options.effects, proxy: { httpProxy: '', httpsProxy: '', noProxy: '' } } })),
  }),
  mutant('CONNECTION-033', 'keeps-its-sessions', {
    kind: 'wire',
    create: () => onFetch(() => (send, url, init) => (init.method === 'DELETE' ? Promise.resolve(DELETED.clone()) : send(url, init))),
  }),
  mutant('CONNECTION-033', 'gives-back-at-the-end-only', { kind: 'adapter', create: givingBackLast }),
  mutant('CONNECTION-033', 'forgets-useless-sessions', { kind: 'wire', create: forgettingTheUseless }),
  mutant('CONNECTION-041', 'leaves-its-stream-open', {
    kind: 'wire',
    create: () => onFetch(() => (send, url, init) => {
      const { signal: _signal, ...endless } = init;
      return send(url, init.method === 'GET' ? endless : init);
    }),
  }),
  mutant('CONNECTION-041', 'forgets-the-call-under-way', { kind: 'adapter', create: forgettingCalls }),
  mutant('CONNECTION-033', 'insists-on-giving-back', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      let response = await send(url, init);
      for (let tries = 1; init.method === 'DELETE' && !response.ok && tries < 3; tries += 1) response = await send(url, init);
      return response;
    }),
  }),
];
