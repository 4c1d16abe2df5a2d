/** Keeps the beginning of a body that goes by. */
export interface TextTap {
  look(chunk: Buffer): void;
  /** What was kept, as text. */
  text(): string;
  /** How many bytes went by. */
  bytes(): number;
}

/** Makes a tap that keeps at most `maxBytes`. */
export function createTextTap(maxBytes: number): TextTap {
  const kept: Buffer[] = [];
  let room = maxBytes;
  let bytes = 0;
  return {
    look(chunk) {
      bytes += chunk.length;
      if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)));
      room -= chunk.length;
    },
    text: () => Buffer.concat(kept).toString('utf8'),
    bytes: () => bytes,
  };
}
