import type { FrameOptions } from '../scenario/schema.ts';

/** The text of a frame as it goes out, line end included. U+2028 and U+2029 are escaped unless asked for (R36). */
export function frameText(text: string, frame: FrameOptions | undefined): string {
  return `${frame?.bom === true ? '\uFEFF' : ''}${frameBody(text, frame)}${frame?.crlf === true ? '\r\n' : '\n'}`;
}

/** The same without mark and line end. */
export function frameBody(text: string, frame: FrameOptions | undefined): string {
  if (frame?.rawSeparators === true || !(text.includes('\u2028') || text.includes('\u2029'))) return text;
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Whether the frame goes out in several writes. */
export function isPieced(frame: FrameOptions | undefined): boolean {
  return frame !== undefined && (frame.everyByte === true || (frame.splitAt?.length ?? 0) > 0);
}

/** The bytes of a frame in the pieces that the options ask for; offsets past the end are no cut. Line end included. */
export function* framePieces(bytes: Uint8Array, frame: FrameOptions): Generator<Uint8Array> {
  if (frame.everyByte === true) {
    for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
    return;
  }
  const cuts = [...new Set(frame.splitAt ?? [])].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

/** A frame's text without its line end, as the trace keeps it. */
export function withoutLineEnd(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.endsWith('\r\n') ? text.slice(0, -2) : text.slice(0, -1);
}
