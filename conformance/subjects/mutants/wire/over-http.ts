/** Defects in what is said over HTTP alone, where one request is one message. */
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, messageIn, onFetch, type Message } from '../plant.ts';

/** Gives each request over HTTP the smallest number that no request in flight has. */
const smallestFree = (): ReturnType<typeof onFetch> => onFetch(() => {
  const own = new Map<unknown, number>();
  const given = new Map<number, unknown>();
  const numbered = (message: Message): Message => {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled' && isMessage(params)) return { ...message, params: { ...params, requestId: own.get(params['requestId']) ?? params['requestId'] } };
    if (method === undefined || id === undefined) return message;
    let free = 1;
    while (given.has(free)) free += 1;
    given.set(free, id);
    own.set(id, free);
    return { ...message, id: free };
  };
  /** What was asked gets its own id back, by whichever stream its answer comes. */
  const ownAgain = (text: string): string => text.replaceAll(/"id":(\d+)(?=,"(?:result|error)")/g, (whole, digits: string) => {
    const asked = given.get(Number(digits));
    if (asked === undefined) return whole;
    given.delete(Number(digits));
    return `"id":${JSON.stringify(asked)}`;
  });
  return async (send, url, init) => {
    const response = await send(url, init.method === 'POST' ? { ...init, body: JSON.stringify(numbered(messageIn(init))) } : init);
    if (response.body === null) return response;
    const changed = new TransformStream<string, string>({ transform: (text, controller) => controller.enqueue(ownAgain(text)) });
    const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(changed).pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: response.headers });
  };
});

/** Every call over HTTP asks for progress under the same token. */
const oneToken = (message: Message): Message => {
  const { params } = message;
  return message['method'] === 'tools/call' && isMessage(params) ? { ...message, params: { ...params, _meta: { ...(isMessage(params['_meta']) ? params['_meta'] : {}), progressToken: 'one' } } } : message;
};

/** See the names. */
export const overHttpMutants: readonly Mutant[] = [
  mutant('WIRE-027', 'takes-the-smallest-free-id-over-http', { kind: 'wire', create: smallestFree }),
  mutant('WIRE-031', 'has-one-token-over-http', {
    kind: 'wire', create: () => onFetch(() => (send, url, init) => send(url, init.method === 'POST' ? { ...init, body: JSON.stringify(oneToken(messageIn(init))) } : init)),
  }),
];
