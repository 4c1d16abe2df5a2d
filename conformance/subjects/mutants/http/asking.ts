/** Defects with cancellations, requests of the server, and the forms of its answers. */
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, messageIn, onFetch } from '../plant.ts';

const taken = (): Response => new Response(null, { status: 202 });

/** What a defect does with the requests of calls that are under way. */
type Hangup = (cancelled: unknown, open: ReadonlyMap<unknown, AbortController>) => void;

/** Does something with the connections of calls when one is cancelled; the notice itself is sent or swallowed. */
const atCancelling = (notice: 'sent' | 'swallowed', hangUp: Hangup = () => undefined): ReturnType<typeof onFetch> => onFetch(() => {
  const open = new Map<unknown, AbortController>();
  return async (send, url, init) => {
    const { id, method, params } = messageIn(init);
    if (method === 'tools/call') {
      const end = new AbortController();
      open.set(id, end);
      return send(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, end.signal]) : end.signal });
    }
    if (method !== 'notifications/cancelled') return send(url, init);
    const response = notice === 'sent' ? await send(url, init) : taken();
    hangUp(isMessage(params) ? params['requestId'] : undefined, open);
    return response;
  };
});

/** Whatever is read from responses to these requests is read otherwise. */
const reading = (isMeant: (init: RequestInit) => boolean, change: (text: string) => string): ReturnType<typeof onFetch> => onFetch(() => async (send, url, init) => {
  const response = await send(url, init);
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  if (!isMeant(init) || !isStream || response.body === null) return response;
  const changed = new TransformStream<string, string>({ transform: (text, controller) => controller.enqueue(change(text)) });
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(changed).pipeThrough(new TextEncoderStream());
  return new Response(body, { status: response.status, headers: response.headers });
});

const isAnswer = (init: RequestInit): boolean => {
  const message = messageIn(init);
  return init.method === 'POST' && message['method'] === undefined && message['id'] !== undefined;
};

const isNotice = (init: RequestInit): boolean => messageIn(init)['method'] === 'notifications/cancelled';

/** Certain messages leave a header out that every request has. */
const without = (header: string, isMeant: (init: RequestInit) => boolean): ReturnType<typeof onFetch> => onFetch(() => (send, url, init) => {
  const headers = new Headers(init.headers);
  if (isMeant(init)) headers.delete(header);
  return send(url, { ...init, headers });
});

const isJson = (response: Response): boolean => response.ok && response.headers.get('content-type')?.includes('application/json') === true;

/** See the names. */
export const askingMutants: readonly Mutant[] = [
  mutant('CALL-038', 'cancels-in-silence', { kind: 'wire', create: () => atCancelling('swallowed') }),
  mutant('CALL-038', 'ends-the-stream-instead', { kind: 'wire', create: () => atCancelling('swallowed', (cancelled, open) => open.get(cancelled)?.abort()) }),
  mutant('CALL-038', 'cancels-without-its-session', { kind: 'wire', create: () => without('mcp-session-id', isNotice) }),
  mutant('WIRE-040', 'answers-without-its-session', { kind: 'wire', create: () => without('mcp-session-id', isAnswer) }),
  mutant('WIRE-025', 'answers-in-no-revision', { kind: 'wire', create: () => without('mcp-protocol-version', isAnswer) }),
  mutant('CALL-039', 'hangs-up-on-all', { kind: 'wire', create: () => atCancelling('sent', (_cancelled, open) => open.forEach((end) => end.abort())) }),
  mutant('WIRE-040', 'never-posts-its-answers', {
    kind: 'wire', create: () => onFetch(() => (send, url, init) => (isAnswer(init) ? Promise.resolve(taken()) : send(url, init))),
  }),
  mutant('WIRE-040', 'misreads-what-it-listens-to', { kind: 'wire', create: () => reading(({ method }) => method === 'GET', (text) => text.replaceAll('"method":"ping"', '"method":"pong"')) }),
  mutant('WIRE-041', 'asks-for-a-page', {
    kind: 'wire',
    create: () => onFetch(() => (send, url, init) => {
      const headers = new Headers(init.headers);
      if (init.method === 'GET') headers.set('accept', 'text/html');
      return send(url, { ...init, headers });
    }),
  }),
  mutant('WIRE-042', 'comes-back-at-once', { kind: 'wire', create: () => reading(() => true, (text) => text.replaceAll(/retry: ?\d+/g, 'retry: 1')) }),
  mutant('WIRE-042', 'waits-for-answers-alone', { kind: 'wire', create: () => reading(({ method }) => method === 'GET', (text) => text.replaceAll(/retry: ?\d+/g, 'retry: 1')) }),
  mutant('WIRE-043', 'reads-streams-alone', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      return isJson(response) && messageIn(init)['method'] === 'tools/call' ? new Response('', { headers: { 'content-type': 'text/event-stream' } }) : response;
    }),
  }),
  mutant('WIRE-043', 'insists-on-a-session', {
    kind: 'wire',
    create: () => onFetch(() => async (send, url, init) => {
      const response = await send(url, init);
      return messageIn(init)['method'] === 'initialize' && response.ok && !response.headers.has('mcp-session-id') ? new Response(null, { status: 500 }) : response;
    }),
  }),
];
