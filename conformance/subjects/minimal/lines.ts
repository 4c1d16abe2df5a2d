/** Bytes to lines: a message ends at a line feed and nowhere else, whatever the chunks (WIRE-005, WIRE-006 rest on it). */

/** The longest line, in bytes. What is longer cannot be told from a flood. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LF = 0x0a;

/** Collects bytes. */
export class Lines {
  #parts: Buffer[] = [];
  #held = 0;

  /**
   * Takes some bytes.
   * @returns the lines that they complete, without their ends
   * @throws RangeError when a line is longer than {@link MAX_LINE_BYTES}
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, end));
      // Decoded whole, so no character is cut between two chunks.
      lines.push(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#held = 0;
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > MAX_LINE_BYTES) throw new RangeError(`the server sent a line of more than ${MAX_LINE_BYTES} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }
}
