/** Defects with bounds and with what grows. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages, type BridgeStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { around, isMessage, onFetch, onWire, withStages } from '../plant.ts';

/** Log messages of a server after which nothing of it is read. */
const MOST_LOGGED = 1_000;

/** Milliseconds by the square of the number of calls before it. */
const GROWTH_MS = 0.0012;

/** Blocks of one result that a bridge without a bound does not get over. */
const MANY_BLOCKS = 100_000;

/** Each call of a session takes longer than the one before. */
const slowerEachTime = (): Partial<BridgeStages> => ({
  openSession: async (options) => {
    const session = await referenceStages.openSession(options);
    let calls = 0;
    return replaced(session, {
      callTool: async (...args) => {
        calls += 1;
        await wait(calls * calls * GROWTH_MS);
        return session.callTool(...args);
      },
    });
  },
});

function withoutMaxTools(server: ServerSpec): ServerSpec {
  const { maxTools: _limit, ...options } = server.options ?? {};
  return { ...server, options };
}

/** See the names. */
export const boundMutants: readonly Mutant[] = [
  mutant('WIRE-023', 'deaf-after-a-flood', {
    kind: 'wire',
    create: () => onWire(() => {
      let logged = 0;
      return {
        receive: (message, pass) => {
          if (message['method'] === 'notifications/message') logged += 1;
          if (logged <= MOST_LOGGED) pass(message);
        },
      };
    }),
  }),
  mutant('CALL-036', 'slower-each-time', { kind: 'stage', create: () => withStages(slowerEachTime) }),
  mutant('CALL-036', 'cancels-what-is-over', {
    kind: 'wire',
    create: () => onWire(() => {
      const over: unknown[] = [];
      return {
        send: async (message, pass) => {
          const { params } = message;
          if (message['method'] === 'tools/call') over.push(message['id']);
          if (message['method'] === 'notifications/cancelled' && isMessage(params)) {
            for (const requestId of over) if (requestId !== params['requestId']) await pass({ ...message, params: { ...params, requestId } });
          }
          await pass(message);
        },
      };
    }),
  }),
  mutant('DISCOVERY-012', 'knows-no-most', {
    kind: 'adapter', create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(withoutMaxTools) }) })),
  }),
  mutant('DISCOVERY-012', 'registers-as-many-as-fit', {
    kind: 'stage',
    create: () => withStages(() => ({
      drainTools: async (server, session, limits) => (await referenceStages.drainTools(server, session, { ...limits, maxTools: Number.MAX_SAFE_INTEGER })).slice(0, limits.maxTools),
    })),
  }),
  mutant('DISCOVERY-013', 'offers-what-nobody-can-write', {
    kind: 'stage', create: () => withStages(() => ({ buildDefinitions: (input) => referenceStages.buildDefinitions({ ...input, maxSchemaDepth: Number.MAX_SAFE_INTEGER }) })),
  }),
  mutant('DISCOVERY-013', 'loses-the-siblings', {
    kind: 'stage',
    create: () => withStages(() => ({
      buildDefinitions: (input) => {
        const built = referenceStages.buildDefinitions(input);
        return built.oddities.some((line) => line.includes('maxSchemaDepth')) ? { ...built, tools: built.tools.slice(0, 1) } : built;
      },
    })),
  }),
  mutant('CALL-037', 'is-lost-after-many-blocks', {
    kind: 'stage',
    create: () => withStages(() => ({
      openSession: async (options) => {
        const session = await referenceStages.openSession({ ...options, limits: { ...options.limits, maxMessageValues: Number.MAX_SAFE_INTEGER } });
        let isLost = false;
        return replaced(session, {
          callTool: async (...args) => {
            if (isLost) throw new BridgeError('connection-lost', 'out of memory', { executed: 'no' });
            const result = await session.callTool(...args);
            isLost = Array.isArray(result['content']) && result['content'].length > MANY_BLOCKS;
            return result;
          },
        });
      },
    })),
  }),
  mutant('CONNECTION-034', 'calls-every-refusal-bad', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      return response.ok || new Headers(init.headers).has('mcp-session-id') ? response : new Response(null, { status: 400 });
    }),
  }),
  mutant('WIRE-025', 'names-the-revision-it-asked-for', { kind: 'wire', create: () => onFetch(() => (send, url, init) => send(url, { ...init, headers: renamed(init.headers, '2025-11-25') })) }),
  mutant('WIRE-025', 'names-no-revision', { kind: 'wire', create: () => onFetch(() => (send, url, init) => send(url, { ...init, headers: renamed(init.headers, undefined) })) }),
];

/** Headers that name another revision, where they name one. */
function renamed(headers: RequestInit['headers'], revision: string | undefined): Headers {
  const changed = new Headers(headers);
  if (revision === undefined) changed.delete('mcp-protocol-version');
  else if (changed.has('mcp-protocol-version')) changed.set('mcp-protocol-version', revision);
  return changed;
}
