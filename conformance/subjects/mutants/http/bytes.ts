/** Wrong ways to read the bytes of an answer over HTTP. */
import { mutant, type Mutant } from '../mutant.ts';
import { onFetch } from '../plant.ts';

const isStream = (response: Response): boolean => response.headers.get('content-type')?.includes('event-stream') === true;

/** Reads the bodies of answers to POST through this; `isMeant`: only such. */
const through = (make: () => TransformStream<Uint8Array, Uint8Array>, isMeant: (response: Response) => boolean = () => true): ReturnType<typeof onFetch> =>
  onFetch(() => async (send, url, init) => {
    const response = await send(url, init);
    if (init.method !== 'POST' || response.body === null || !isMeant(response)) return response;
    return new Response(response.body.pipeThrough(make()), { status: response.status, headers: response.headers });
  });

/** Bytes of one piece: an answer may come in one chunk, and then nothing would be cut. */
const PIECE_BYTES = 7;

/** Decodes pieces on their own, so that a character between two of them breaks. */
function decodedInPieces(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) controller.enqueue(Buffer.from(Buffer.from(chunk.subarray(at, at + PIECE_BYTES)).toString('utf8')));
    },
  });
}

/** Changes each line of event streams, its end included; `make` runs once a stream. */
const lineByLine = (make: () => (line: string) => string): ReturnType<typeof onFetch> => through(() => {
  const change = make();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split(/(?<=\n)/);
      rest = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '');
      const read = lines.map((line) => change(line)).join('');
      if (read !== '') controller.enqueue(Buffer.from(read));
    },
  });
}, isStream);

/** Of each event, the first line of this field only. */
function firstOf(field: string): (line: string) => string {
  let seen = false;
  return (line) => {
    const isAgain = seen && line.startsWith(field);
    seen = line.trim() !== '' && (seen || line.startsWith(field));
    return isAgain ? '' : line;
  };
}

/** Events without a name are none. */
function namedOnly(): (line: string) => string {
  let isNamed = false;
  return (line) => {
    isNamed = line.trim() !== '' && (isNamed || line.startsWith('event:'));
    return line.startsWith('data:') && !isNamed ? '' : line;
  };
}

/** Nothing that comes after a comment is read. */
function deafAfterComment(): (line: string) => string {
  let isDeaf = false;
  return (line) => {
    isDeaf ||= line.startsWith(':');
    return isDeaf ? '' : line;
  };
}

/** See the names. */
export const byteMutants: readonly Mutant[] = [
  mutant('WIRE-044', 'decodes-pieces-of-characters', { kind: 'wire', create: () => through(decodedInPieces) }),
  // An end of event that is no empty line of LF is none: what came before it is discarded with the stream.
  mutant('WIRE-044', 'ends-events-at-line-feeds-alone', { kind: 'wire', create: () => lineByLine(() => (line) => line.replace('\r', 'x')) }),
  mutant('WIRE-044', 'takes-the-first-line-of-data', { kind: 'wire', create: () => lineByLine(() => firstOf('data:')) }),
  mutant('WIRE-044', 'stumbles-over-a-comment', { kind: 'wire', create: () => lineByLine(deafAfterComment) }),
  mutant('WIRE-044', 'needs-a-space', { kind: 'wire', create: () => lineByLine(() => (line) => (/^data:[^ ]/.test(line) ? '' : line)) }),
  mutant('WIRE-044', 'needs-a-name', { kind: 'wire', create: () => lineByLine(namedOnly) }),
  mutant('WIRE-044', 'stumbles-over-a-byte-order-mark', { kind: 'wire', create: () => lineByLine(() => (line) => line.replace('\uFEFF', '\uFEFFx')) }),
];
