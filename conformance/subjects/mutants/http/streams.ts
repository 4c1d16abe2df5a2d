/** Defects with event streams: of answers, and for announcements. */
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeError, referenceStages, type BridgeStages, type Session } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { onFetch, withStages } from '../plant.ts';

type Call = Session['callTool'];

/** Over HTTP, does something else when a call failed and may have been executed. */
export const onDoubt = (instead: (error: BridgeError, again: () => ReturnType<Call>) => ReturnType<Call>) => (): Partial<BridgeStages> => ({
  openSession: async (options) => {
    const session = await referenceStages.openSession(options);
    if (options.target.transport === 'stdio') return session;
    return replaced(session, {
      callTool: async (...args) => {
        try {
          return await session.callTool(...args);
        } catch (error) {
          if (error instanceof BridgeError && error.executed === 'unknown') return instead(error, () => session.callTool(...args));
          throw error;
        }
      },
    });
  },
});

/** Longer than any prompt end. */
const LATE_MS = 6_000;

const isStream = (response: Response): boolean => response.ok && response.headers.get('content-type')?.includes('event-stream') === true;
const isListening = ({ method, headers }: RequestInit): boolean => method === 'GET' && !new Headers(headers).has('last-event-id');
const refused = (): Response => new Response(null, { status: 405 });

/** Asks for the rest of streams after another event than the last; `named` gives it the one that was named first in a session, and none of it: not at all. */
const asking = (named: (first: string | undefined, id: string) => string | undefined): ReturnType<Parameters<typeof onFetch>[0]> => {
  const firsts = new Map<string, string>();
  return (send, url, init) => {
    const headers = new Headers(init.headers);
    const id = headers.get('last-event-id');
    if (init.method !== 'GET' || id === null) return send(url, init);
    const session = headers.get('mcp-session-id') ?? '';
    const chosen = named(firsts.get(session), id);
    firsts.set(session, firsts.get(session) ?? id);
    if (chosen === undefined) return Promise.resolve(refused());
    headers.set('last-event-id', chosen);
    return send(url, { ...init, headers });
  };
};

/** How often a stormy bridge asks for what it was refused, and milliseconds between. */
const STORM = 40;
const EVERY_MS = 5;

/** What comes by one stream and, when it has ended, by those that are asked for then, one after the other. */
async function* again(first: Response, next: () => Promise<Response>): AsyncGenerator<Uint8Array> {
  let stream = first;
  for (let asked = 1; isStream(stream) && stream.body !== null; asked += 1) {
    for await (const bytes of stream.body) yield bytes;
    if (asked === STORM) return;
    stream = await next();
  }
}

/** See the names. */
export const streamMutants: readonly Mutant[] = [
  mutant('WIRE-022', 'asks-again-and-again', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      let response = await send(url, init);
      for (let asked = 1; isListening(init) && !isStream(response) && asked < STORM; asked += 1) {
        await wait(EVERY_MS);
        response = await send(url, init);
      }
      return response;
    }),
  }),
  mutant('WIRE-022', 'cannot-do-without', {
    kind: 'wire',
    create: () => onFetch(() => {
      const hopeless = new Set<string>();
      return async (send, url, init) => {
        if (hopeless.has(String(url)) && init.method === 'POST') return new Response(null, { status: 500 });
        const response = await send(url, init);
        if (isListening(init) && !isStream(response)) hopeless.add(String(url));
        return response;
      };
    }),
  }),
  mutant('CALL-030', 'sends-again-what-was-lost', { kind: 'stage', create: () => withStages(onDoubt((_error, repeat) => repeat())) }),
  mutant('CALL-031', 'waits-for-a-lost-answer', {
    kind: 'stage',
    create: () => withStages(onDoubt(async (error) => {
      await wait(LATE_MS);
      throw error;
    })),
  }),
  mutant('CALL-031', 'says-nothing-was-executed', {
    kind: 'stage', create: () => withStages(onDoubt(({ code, message }) => Promise.reject(new BridgeError(code, message, { executed: 'no' })))),
  }),
  mutant('CALL-032', 'does-not-resume', {
    kind: 'wire',
    create: () => onFetch(() => (send, url, init) => (init.method === 'GET' && !isListening(init) ? Promise.resolve(refused()) : send(url, init))),
  }),
  mutant('CALL-032', 'resumes-once', { kind: 'wire', create: () => onFetch(() => asking((known, id) => (known === undefined ? id : undefined))) }),
  mutant('CALL-032', 'names-the-first-event', { kind: 'wire', create: () => onFetch(() => asking((known, id) => known ?? id)) }),
  mutant('WIRE-053', 'takes-the-end-for-the-last-word', {
    kind: 'wire',
    create: () => onFetch(() => {
      let isEnded = false;
      return async (send, url, init) => {
        if (init.method === 'GET' && !isListening(init) && isEnded) return refused();
        const response = await send(url, init);
        if (init.method !== 'POST' || !isStream(response) || response.body === null) return response;
        isEnded = false;
        const ended = new TransformStream<Uint8Array, Uint8Array>({ flush: () => { isEnded = true; } });
        return new Response(response.body.pipeThrough(ended), { status: response.status, headers: response.headers });
      };
    }),
  }),
  mutant('WIRE-054', 'listens-without-a-pause', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      if (!isListening(init) || !isStream(response)) return response;
      return new Response(ReadableStream.from(again(response, () => send(url, init))), { status: response.status, headers: response.headers });
    }),
  }),
  mutant('GENERATION-020', 'listens-once', {
    kind: 'wire',
    create: () => onFetch(() => {
      const listened = new Set<string>();
      return async (send, url, init) => {
        const session = new Headers(init.headers).get('mcp-session-id') ?? '';
        if (isListening(init) && listened.has(session)) return refused();
        if (isListening(init)) listened.add(session);
        return send(url, init);
      };
    }),
  }),
  // With an id of its own in the stream it believes that the next one goes on where this one ended.
  mutant('GENERATION-020', 'believes-that-nothing-was-missed', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      if (init.method !== 'GET') return send(url, init);
      const headers = new Headers(init.headers);
      headers.delete('last-event-id');
      const response = await send(url, { ...init, headers });
      if (!isStream(response) || response.body === null) return response;
      const begun = new TransformStream<Uint8Array, Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode('id: made-up\ndata:\n\n')) });
      return new Response(response.body.pipeThrough(begun), { status: response.status, headers: response.headers });
    }),
  }),
];
