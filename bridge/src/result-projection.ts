/**
 * What the model reads of a result (S40-S42, S46, S50, B16). Synchronous and pure (S47).
 * @module
 */
import type { CanonicalValue } from './canonical-value.ts';
import { contentPieces, refusedImage, type ContentPiece } from './content-pieces.ts';
import type { ContentBlock, ImageReference } from './host-services.ts';
import { boundText } from './model-text.ts';
import { collectPayloads, structuredText, withoutPayloads } from './payloads.ts';

/** The images of one result: every one stored, in order, or every one refused for one reason (S43, S45). */
export type ImageAdmission =
  | { readonly kind: 'stored'; readonly references: readonly ImageReference[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a projection depends on beside the value. */
export interface ProjectionOptions {
  /** Bound of all text, UTF-16 code units (B16). */
  readonly maxChars: number;
  /** What became of the images. */
  readonly images: ImageAdmission;
}

/** Until images are stored (S43-S45), every one is refused, visibly. */
export const IMAGES_NOT_SHOWN: ImageAdmission = { kind: 'refused', reason: 'this version of the bridge does not show images' };

/** What the model reads when a successful result has nothing to show (S50). */
export const NOTHING_TO_SHOW = '[the tool returned nothing to show]';

/** What the model reads when a tool reports failure without a word (S36, S50). */
export const ERROR_WITHOUT_TEXT = '[the tool reported an error without any text]';

/** The content of a success. */
export function projectResult(value: CanonicalValue, options: ProjectionOptions): ContentBlock[] {
  const blocks = projectBlocks(value, options);
  if (!isEmpty(blocks)) return blocks;
  const { structuredContent } = value;
  if (structuredContent === undefined) return [{ type: 'text', text: NOTHING_TO_SHOW }];
  const text = withoutPayloads(structuredText(structuredContent), collectPayloads(value.content));
  return boundText([{ type: 'text', text }], options.maxChars);
}

/** The text of a failure that a tool reported: every block, images as diagnostics (S36). */
export function projectError(value: CanonicalValue, maxChars: number): string {
  const images: ImageAdmission = { kind: 'refused', reason: 'the call failed' };
  const blocks = projectBlocks(value, { maxChars, images });
  const [block] = blocks;
  return block?.type === 'text' && !isEmpty(blocks) ? block.text : ERROR_WITHOUT_TEXT;
}

function projectBlocks({ content }: CanonicalValue, options: ProjectionOptions): ContentBlock[] {
  const payloads = collectPayloads(content);
  const blocks = joinRuns(contentPieces(content), options.images);
  const clean = payloads.size === 0 ? blocks : blocks.map((block) => (block.type === 'text' ? { ...block, text: withoutPayloads(block.text, payloads) } : block));
  return boundText(clean, options.maxChars);
}

/** Joins runs of text with a newline, so that no two text blocks are adjacent (S40). */
function joinRuns(pieces: readonly ContentPiece[], images: ImageAdmission): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let run: string[] = [];
  let imageIndex = 0;
  const endRun = (): void => {
    if (run.length > 0) blocks.push({ type: 'text', text: run.join('\n') });
    run = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      run.push(piece.text);
      continue;
    }
    const reference = images.kind === 'stored' ? images.references[imageIndex] : undefined;
    imageIndex += 1;
    if (reference === undefined) {
      const reason = images.kind === 'refused' ? images.reason : 'it was not stored';
      const refused = refusedImage(piece.mediaType, reason);
      if (refused.kind === 'text') run.push(refused.text);
      continue;
    }
    endRun();
    blocks.push({ type: 'image', attachment: reference });
  }
  endRun();
  return blocks;
}

/** Whether there is nothing a model could see: no block, or only blank text (S50). */
function isEmpty(blocks: readonly ContentBlock[]): boolean {
  return blocks.every((block) => block.type === 'text' && block.text.trim() === '');
}
