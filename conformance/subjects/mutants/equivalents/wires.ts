/** The same messages, written in another way or read in other pieces. */
import { Transform } from 'node:stream';
import { isMessage, onBytes, onFetch, onWire, type Message, type Tap } from '../plant.ts';
import { equivalent, turned, type Equivalent, type OnUse } from './equivalent.ts';

/** Pieces that one chunk is cut into at most, so that a large message stays affordable. */
const MAX_BITES = 200;

/** Bytes of the smallest piece: it ends within characters, words and lines. */
const BITE_BYTES = 7;

/** The chunk in small pieces. */
function* bites(chunk: Uint8Array): Generator<Uint8Array> {
  const length = Math.max(BITE_BYTES, Math.ceil(chunk.length / MAX_BITES));
  for (let at = 0; at < chunk.length; at += length) yield chunk.subarray(at, at + length);
}

function biting(onUse: OnUse): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      onUse();
      for (const bite of bites(chunk)) this.push(bite);
      done();
    },
  });
}

function word(id: unknown): unknown {
  return typeof id === 'number' ? `request-${id}` : id;
}

function numberOf(id: unknown): unknown {
  return typeof id === 'string' && /^request-\d+$/.test(id) ? Number(id.slice('request-'.length)) : id;
}

/** Ids are text. A server may not look into them, and a cancellation names its request by the same id. */
function numberingByWords(onUse: OnUse): Tap {
  return {
    send: (message, pass) => {
      onUse();
      return pass(isCancellation(message) ? { ...message, params: { ...message.params, requestId: word(message.params['requestId']) } } : asked(message));
    },
    receive: (message, pass) => pass('method' in message ? message : { ...message, id: numberOf(message['id']) }),
  };
}

function asked(message: Message): Message {
  return 'method' in message && 'id' in message ? { ...message, id: word(message['id']) } : message;
}

function isCancellation(message: Message): message is Message & { readonly params: Message } {
  return message['method'] === 'notifications/cancelled' && isMessage(message['params']);
}

/** Answers over HTTP, read in small pieces. */
const bitingHttp: Equivalent['create'] = (onUse) => onFetch(() => async (send, url, init) => {
  const answer = await send(url, init);
  if (answer.body === null) return answer;
  onUse();
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (const bite of bites(chunk)) controller.enqueue(bite);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(cut), { status, statusText, headers });
});

/** Equivalents between bridge and server. */
export const wireEquivalents: readonly Equivalent[] = [
  equivalent('numbers-requests-by-words', { kind: 'wire', areas: ['wire', 'call'], create: (onUse) => onWire(() => numberingByWords(onUse)) }),
  equivalent('turns-members-of-messages', {
    kind: 'wire',
    areas: ['wire', 'discovery'],
    create: (onUse) => onWire(() => ({
      send: (message, pass) => {
        onUse();
        return pass(turned({ ...message, ...('params' in message ? { params: turned(message['params']) } : {}) }));
      },
      receive: (message, pass) => pass(turned(message)),
    })),
  }),
  equivalent('reads-in-bites', { kind: 'wire', areas: ['wire', 'isolation'], create: (onUse) => onBytes(() => biting(onUse)) }),
  equivalent('reads-answers-in-bites', { kind: 'wire', areas: ['connection'], create: bitingHttp }),
];
