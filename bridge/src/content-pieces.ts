/**
 * One content block of a result as one piece of what a model reads (S41, S42). Nothing disappears: what cannot be shown
 * becomes a short diagnostic.
 * @module
 */
import type { JsonObject, JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';
import { shortFact } from './model-text.ts';

/** Text that the model reads as it is, bounds and payloads apart. */
export interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
}

/** An image. It stays apart until it is decided whether the whole batch is admitted (S43, S45). */
export interface ImagePiece {
  readonly kind: 'image';
  /** As declared; empty when it is missing. */
  readonly mediaType: string;
  /** Base64 as it came; empty when it is missing. */
  readonly data: string;
  /** What of the block is missing, if anything is. */
  readonly flaw?: string;
}

/** A piece of a result. */
export type ContentPiece = TextPiece | ImagePiece;

/** A server's own words, made fit to be cut short: a payload that is cut can no longer be found (S46). */
type Clean = (words: string) => string;

/** Every block as a piece, in order (S40). */
export function contentPieces(content: readonly JsonValue[], clean: Clean): readonly ContentPiece[] {
  return content.map((block) => contentPiece(block, clean));
}

/** The images alone, in order. */
export function imagePieces(content: readonly JsonValue[]): readonly ImagePiece[] {
  return content.flatMap((block) => (isJsonObject(block) && block['type'] === 'image' ? [imagePiece(block)] : []));
}

function contentPiece(block: JsonValue, clean: Clean): ContentPiece {
  if (!isJsonObject(block)) return diagnostic('malformed content block left out: it is no object');
  const type = block['type'];
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? { kind: 'text', text: block['text'] } : malformed('text', 'its text is missing');
    case 'image':
      return imagePiece(block);
    case 'resource_link':
      return linkPiece(block);
    case 'audio':
      return diagnostic(`audio left out${facts(clean, block['mimeType'])}`);
    case 'resource':
      return resourcePiece(block, clean);
    default:
      if (typeof type !== 'string') return diagnostic('malformed content block left out: it has no type');
      return diagnostic(`content block of the unknown type ${JSON.stringify(shortFact(clean(type), 64))} left out`);
  }
}

function imagePiece({ data, mimeType }: JsonObject): ImagePiece {
  const piece = { kind: 'image', mediaType: typeof mimeType === 'string' ? mimeType : '', data: typeof data === 'string' ? data : '' } as const;
  if (typeof data !== 'string') return { ...piece, flaw: 'its data is missing' };
  return typeof mimeType === 'string' ? piece : { ...piece, flaw: 'its mimeType is missing' };
}

/** The link's name and URI, whole (S41): no diagnostic, since nothing is left out. */
function linkPiece(block: JsonObject): ContentPiece {
  const { name, uri } = block;
  if (typeof uri !== 'string') return malformed('resource_link', 'its uri is missing');
  const text = typeof name === 'string' && name !== '' ? `${name} (${uri})` : uri;
  return { kind: 'text', text: `Resource link: ${text}` };
}

function resourcePiece(block: JsonObject, clean: Clean): ContentPiece {
  const resource = block['resource'];
  if (!isJsonObject(resource)) return malformed('resource', 'its resource is missing');
  return diagnostic(`embedded resource left out${facts(clean, resource['uri'], resource['mimeType'])}`);
}

/** The diagnostic for an image that is not shown, and why. */
export function refusedImage({ mediaType, flaw }: ImagePiece, reason: string, clean: Clean): TextPiece {
  return flaw === undefined ? diagnostic(`image left out${facts(clean, mediaType)}: ${reason}`) : malformed('image', flaw);
}

function malformed(type: string, what: string): TextPiece {
  return diagnostic(`malformed ${type} block left out: ${what}`);
}

function diagnostic(text: string): TextPiece {
  return { kind: 'text', text: `[${text}]` };
}

/** Short facts in parentheses; anything that is no text is passed over. */
function facts(clean: Clean, ...values: readonly (JsonValue | undefined)[]): string {
  const known = values.filter((value): value is string => typeof value === 'string' && value !== '').map((value) => shortFact(clean(value)));
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}
