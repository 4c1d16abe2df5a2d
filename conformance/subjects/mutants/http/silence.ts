/** Defects with requests over HTTP that are never answered. */
import { referenceStages, type OpenSessionOptions, type Session } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { connecting, isMessage, messageIn, onFetch, withStages } from '../plant.ts';

/** Longer than any limit of a check and its slack, in milliseconds. */
const FAR_MS = 6_000;

/** Lists when the stream to listen to has a head, and not before. */
const awaitingTheStream = (): ReturnType<typeof onFetch> => onFetch(() => {
  const heads = new Map<string, Promise<unknown>>();
  return async (send, url, init) => {
    const session = new Headers(init.headers).get('mcp-session-id') ?? '';
    if (init.method === 'GET') {
      const response = send(url, init);
      heads.set(session, response.catch(() => undefined));
      return response;
    }
    if (messageIn(init)['method'] === 'tools/list') await Promise.race([heads.get(session), new Promise((resolve) => init.signal?.addEventListener('abort', resolve))]);
    return send(url, init);
  };
});

/** Over HTTP, a session of which something takes longer. */
const slower = (change: (session: Session) => Partial<Pick<Session, 'listToolsPage' | 'callTool'>>): ReturnType<typeof withStages> => withStages(() => ({
  openSession: async (options) => {
    const session = await referenceStages.openSession(options);
    return options.target.transport === 'stdio' ? session : replaced(session, change(session));
  },
}));

const isTimeout = (init: RequestInit): boolean => {
  const { method, params } = messageIn(init);
  return method === 'notifications/cancelled' && isMessage(params) && /timed out/.test(String(params['reason']));
};

const patient = (options: OpenSessionOptions): OpenSessionOptions =>
  (options.target.transport === 'stdio' ? options : { ...options, limits: { ...options.limits, connectTimeoutMs: FAR_MS } });

/** See the names. */
export const silenceMutants: readonly Mutant[] = [
  mutant('WIRE-055', 'awaits-its-stream', { kind: 'wire', create: awaitingTheStream }),
  mutant('CONNECTION-050', 'shakes-hands-without-a-limit', { kind: 'stage', create: () => connecting(patient) }),
  mutant('CONNECTION-050', 'lists-without-a-limit', {
    kind: 'stage', create: () => slower((session) => ({ listToolsPage: (cursor, limits) => session.listToolsPage(cursor, { ...limits, timeoutMs: FAR_MS }) })),
  }),
  mutant('CALL-012', 'patient-over-http', {
    kind: 'stage', create: () => slower((session) => ({ callTool: (rawName, args, limits) => session.callTool(rawName, args, { ...limits, timeoutMs: limits.timeoutMs + FAR_MS, maxTotalMs: limits.timeoutMs + FAR_MS }) })),
  }),
  mutant('CALL-040', 'times-out-in-silence-over-http', {
    kind: 'wire', create: () => onFetch(() => (send, url, init) => (isTimeout(init) ? Promise.resolve(new Response(null, { status: 202 })) : send(url, init))),
  }),
];
