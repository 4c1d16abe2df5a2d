/**
 * Bounds what one JSON answer may bring over HTTP (B01).
 *
 * Event streams are not bounded here: a stage in between costs a call several percent. What they bring is held by the
 * library event by event.
 */
import { BridgeError } from '../errors.ts';
import type { FetchFunction } from './http-headers.ts';

/** A `fetch` whose JSON bodies fail with `limit-exceeded` once they are longer than `maxBytes`. */
export function fetchBounded(send: FetchFunction, maxBytes: number): FetchFunction {
  return async (url, init) => {
    const response = await send(url, init);
    const length = response.headers.get('content-length');
    const isJson = response.headers.get('content-type')?.toLowerCase().startsWith('application/json') ?? false;
    // A body that says a length within the limit cannot be longer, unless that length is the one of its compressed form.
    const isShort = length !== null && Number(length) <= maxBytes && !response.headers.has('content-encoding');
    if (response.body === null || !isJson || isShort) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limitStage(maxBytes)), { status, statusText, headers });
  };
}

function limitStage(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) {
        controller.enqueue(chunk);
        return;
      }
      const text = `the server sent a message of more than \`maxMessageBytes\` (${maxBytes}) bytes`;
      controller.error(new BridgeError('limit-exceeded', text, { executed: 'yes' }));
    },
  });
}
