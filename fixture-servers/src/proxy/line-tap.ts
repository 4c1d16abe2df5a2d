/** Watches lines go by without holding them up: what passes the bound is counted, not kept. */
const LF = 0x0a;
const CR = 0x0d;

/** A line that went by. */
export interface TappedLine {
  /** Its text without the line end, as much as was kept. Bytes that are no UTF-8 become U+FFFD. */
  readonly text: string;
  /** Its length on the wire, line end included. */
  readonly bytes: number;
}

/** Looks at chunks as they pass. */
export interface LineTap {
  /** Looks at a chunk; returns the lines it completed. */
  look(chunk: Buffer): TappedLine[];
  /** What was left without a line end, if anything. */
  rest(): TappedLine | undefined;
}

/** Makes a tap that keeps at most `maxBytes` of a line. */
export function createLineTap(maxBytes: number): LineTap {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let seenBytes = 0;

  const keep = (part: Buffer): void => {
    seenBytes += part.length;
    const taken = part.subarray(0, Math.max(0, maxBytes - keptBytes));
    if (taken.length === 0) return;
    // A copy: the chunk belongs to the stream, and a line may wait long for its end.
    kept.push(Buffer.from(taken));
    keptBytes += taken.length;
  };
  const take = (end: number): TappedLine => {
    const whole = Buffer.concat(kept, keptBytes);
    const bytes = seenBytes + end;
    kept = [];
    keptBytes = 0;
    seenBytes = 0;
    const length = whole.length > 0 && whole[whole.length - 1] === CR ? whole.length - 1 : whole.length;
    return { text: whole.toString('utf8', 0, length), bytes };
  };

  return {
    look(chunk) {
      const lines: TappedLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        keep(chunk.subarray(from, at));
        lines.push(take(1));
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
      return lines;
    },
    rest: () => (seenBytes === 0 ? undefined : take(0)),
  };
}
