/** Reads bodies of answers, never more than is allowed and never for longer (B01). */
import { BridgeError } from '../errors.ts';
import { ignore } from './ignore.ts';
import { Pieces } from './pieces.ts';

/** How much of an error's body is looked at, bytes. */
const SNIPPET_BYTES = 4_096;
/** How long a body may be that the platform reads, bytes: it is quicker, but keeps every piece, however tiny, until all are there. */
const SHORT_BYTES = 1_048_576;

/**
 * The text of a JSON body.
 * @throws BridgeError `limit-exceeded` once it is longer than `maxBytes`; whatever breaks the connection otherwise
 */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const length = response.headers.get('content-length');
  // A body that says a length within the limit cannot be longer, unless that length is the one of its compressed form.
  if (length !== null && Number(length) <= Math.min(maxBytes, SHORT_BYTES) && !response.headers.has('content-encoding')) return response.text();
  const { text, isWhole } = await readUpTo(response, maxBytes);
  if (isWhole) return text;
  throw new BridgeError('limit-exceeded', `the server sent a message of more than \`maxMessageBytes\` (${maxBytes}) bytes`, { executed: 'yes' });
}

/** The beginning of an error's body, as far as it comes within the time; empty when nothing can be read. Never rejects. */
export async function readSnippet(response: Response, limitMs: number): Promise<string> {
  try {
    return (await readUpTo(response, SNIPPET_BYTES, limitMs)).text;
  } catch {
    return '';
  }
}

/** The body of an answer; one that has none is an empty one. */
export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  return response.body ?? new ReadableStream({ start: (stream) => stream.close() });
}

/** Gives a body up that nobody reads. */
export function discard(response: Response): void {
  response.body?.cancel().catch(ignore);
}

async function readUpTo(response: Response, maxBytes: number, limitMs?: number): Promise<{ text: string; isWhole: boolean }> {
  const reader = bodyOf(response).getReader();
  const giveUp = (): void => void reader.cancel().catch(ignore);
  const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
  // Reading that was given up elsewhere may never settle: it keeps no program alive.
  timer?.unref();
  const pieces = new Pieces();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.add(next.value);
      if (pieces.bytes > maxBytes) break;
    }
  } finally {
    clearTimeout(timer);
    giveUp();
  }
  const all = pieces.take();
  // As `Response.text` does it: without a byte order mark (B25).
  return { text: new TextDecoder().decode(all.subarray(0, maxBytes)), isWhole: all.length <= maxBytes };
}
