/**
 * One content block of a result as one piece of what a model reads (S41, S42). Nothing disappears: what cannot be shown
 * becomes a short diagnostic.
 * @module
 */
import type { JsonObject, JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';
import { shortFact } from './model-text.ts';

/** A piece of a result. An image stays apart until it is decided whether the whole batch is admitted (S43, S45). */
export type ContentPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string };

/** Every block as a piece, in order (S40). */
export function contentPieces(content: readonly JsonValue[]): readonly ContentPiece[] {
  return content.map(contentPiece);
}

function contentPiece(block: JsonValue): ContentPiece {
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
      return diagnostic(`audio left out${facts(block['mimeType'])}`);
    case 'resource':
      return resourcePiece(block);
    default:
      if (typeof type !== 'string') return diagnostic('malformed content block left out: it has no type');
      return diagnostic(`content block of the unknown type ${JSON.stringify(shortFact(type, 64))} left out`);
  }
}

function imagePiece(block: JsonObject): ContentPiece {
  const { data, mimeType } = block;
  if (typeof data !== 'string') return malformed('image', 'its data is missing');
  if (typeof mimeType !== 'string') return malformed('image', 'its mimeType is missing');
  return { kind: 'image', mediaType: mimeType, data };
}

/** The link's name and URI, whole (S41): no diagnostic, since nothing is left out. */
function linkPiece(block: JsonObject): ContentPiece {
  const { name, uri } = block;
  if (typeof uri !== 'string') return malformed('resource_link', 'its uri is missing');
  const text = typeof name === 'string' && name !== '' ? `${name} (${uri})` : uri;
  return { kind: 'text', text: `Resource link: ${text}` };
}

function resourcePiece(block: JsonObject): ContentPiece {
  const resource = block['resource'];
  if (!isJsonObject(resource)) return malformed('resource', 'its resource is missing');
  return diagnostic(`embedded resource left out${facts(resource['uri'], resource['mimeType'])}`);
}

/** The diagnostic for an image that is not shown, and why. */
export function refusedImage(mediaType: string, reason: string): ContentPiece {
  return diagnostic(`image left out${facts(mediaType)}: ${reason}`);
}

function malformed(type: string, what: string): ContentPiece {
  return diagnostic(`malformed ${type} block left out: ${what}`);
}

function diagnostic(text: string): ContentPiece {
  return { kind: 'text', text: `[${text}]` };
}

/** Short facts in parentheses; anything that is no text is passed over. */
function facts(...values: readonly (JsonValue | undefined)[]): string {
  const known = values.filter((value): value is string => typeof value === 'string' && value !== '').map((value) => shortFact(value));
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}
