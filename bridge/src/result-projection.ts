/**
 * What the model reads of a result (S40-S42, S46, S50, B16). Synchronous and pure (S47).
 * @module
 */
import type { CanonicalValue } from './canonical-value.ts';
import { contentPieces, refusedImage, type ContentPiece } from './content-pieces.ts';
import type { ContentBlock, ImageReference } from './host-services.ts';
import { refuseImages, type ImageRefusal } from './image-batch.ts';
import { blocksLeftOut, boundText, MARKER_ROOM_CHARS } from './model-text.ts';
import { collectPayloads, structuredText, withoutPayloads } from './payloads.ts';

/** The images of one result: every one stored, in order, or every one refused (S43, S45). */
export type ImageAdmission = { readonly kind: 'stored'; readonly references: readonly ImageReference[] } | ImageRefusal;

/** What a projection depends on beside the value. */
export interface ProjectionOptions {
  /** Bound of all text, UTF-16 code units (B16), and of the blocks that are looked at: each takes one at the least (B01). */
  readonly maxChars: number;
  /** What became of the images. */
  readonly images: ImageAdmission;
}

/**
 * What `render` says of images (S47): it is pure, so it stores none. The model reads this only where nothing was staged
 * for the execution, as after a policy put another value in place of the canonical one.
 */
export const IMAGES_NOT_SHOWN: ImageAdmission = refuseImages('only a program that calls the tool gets it');

/** What the model reads when a successful result has nothing to show (S50). */
export const NOTHING_TO_SHOW = '[the tool returned nothing to show]';

/** What the model reads when a tool reports failure without a word (S36, S50). */
export const ERROR_WITHOUT_TEXT = '[the tool reported an error without any text]';

/** The content of a success. */
export function projectResult(value: CanonicalValue, options: ProjectionOptions): ContentBlock[] {
  const blocks = projectBlocks(value, options);
  if (blocks.length > 0) return blocks;
  const { structuredContent } = value;
  if (structuredContent === undefined) return [{ type: 'text', text: NOTHING_TO_SHOW }];
  const text = withoutPayloads(structuredText(structuredContent), collectPayloads(value.content));
  return boundText([{ type: 'text', text }], options.maxChars);
}

/** The text of a failure that a tool reported: every block, images as diagnostics (S36). */
export function projectError(value: CanonicalValue, maxChars: number): string {
  const blocks = projectBlocks(value, { maxChars, images: refuseImages('the call failed') });
  const [block] = blocks;
  return block?.type === 'text' ? block.text : ERROR_WITHOUT_TEXT;
}

/**
 * Of very many blocks only those are made into pieces that there can be room for: a server may send millions of tiny ones.
 * Text is not cut before it is clean, since half a payload could no longer be found (S46).
 */
function projectBlocks({ content }: CanonicalValue, { images, maxChars }: ProjectionOptions): ContentBlock[] {
  const payloads = collectPayloads(content);
  const clean = (text: string): string => withoutPayloads(text, payloads);
  const blocks = joinRuns(shownPieces(contentPieces(content.slice(0, maxChars), clean), images, clean)).map((block) => (block.type === 'text' ? { ...block, text: clean(block.text) } : block));
  const leftOut = content.length - maxChars;
  return leftOut > 0 ? withEnd(boundText(blocks, maxChars - MARKER_ROOM_CHARS), blocksLeftOut(leftOut, maxChars)) : boundText(blocks, maxChars);
}

/** The same with a line at its end; no two text blocks are adjacent (S40). */
function withEnd(blocks: readonly ContentBlock[], line: string): ContentBlock[] {
  const last = blocks.at(-1);
  if (last?.type !== 'text') return [...blocks, { type: 'text', text: line }];
  return [...blocks.slice(0, -1), { type: 'text', text: `${last.text}\n${line}` }];
}

/** Each image becomes its reference or the words for it; all of them the one or all of them the other (S45). */
function shownPieces(pieces: readonly ContentPiece[], images: ImageAdmission, clean: (text: string) => string): readonly (string | ImageReference)[] {
  const references = images.kind === 'stored' ? images.references : [];
  const isWhole = pieces.filter((piece) => piece.kind !== 'text').every((_piece, place) => references[place] !== undefined);
  let index = 0;
  return pieces.map((piece) => {
    if (piece.kind === 'text') return piece.text;
    const place = index++;
    const reference = isWhole ? references[place] : undefined;
    if (reference !== undefined) return reference;
    const reason = images.kind === 'refused' ? (images.own?.get(place) ?? images.reason) : 'it was not stored';
    return refusedImage(piece, reason, clean).text;
  });
}

/** Joins runs of text with a newline, so that no two text blocks are adjacent (S40); a blank run is nothing to see (S50). */
function joinRuns(pieces: readonly (string | ImageReference)[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    const text = run.join('\n');
    // Model APIs refuse a blank text beside an image.
    if (text.trim() !== '') blocks.push({ type: 'text', text });
    run = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      run.push(piece);
      continue;
    }
    endRun();
    blocks.push({ type: 'image', attachment: piece });
  }
  endRun();
  return blocks;
}
