/** Bytes that come in pieces, kept until they are whole. A peer chooses how small the pieces are, so many tiny ones are put together (B01). */

/** How many pieces come before it is looked at how small they are. */
const LOT = 1_024;
/** Average size below which a lot is put together, bytes; an object that holds a piece takes as much. */
const TINY_BYTES = 256;

/** See the module's comment. What is added must not change until it is taken. */
export class Pieces {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** How many of the pieces have been looked at, and how many bytes came since. */
  #settled = 0;
  #newBytes = 0;

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many objects hold them: of tiny pieces far fewer than were added. */
  get count(): number {
    return this.#pieces.length;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#newBytes += piece.length;
    if (this.#pieces.length - this.#settled < LOT) return;
    if (this.#newBytes < LOT * TINY_BYTES) this.#pieces.push(Buffer.concat(this.#pieces.splice(this.#settled)));
    this.#settled = this.#pieces.length;
    this.#newBytes = 0;
  }

  /** All of them in a row; none are left. */
  take(): Buffer {
    const whole = Buffer.concat(this.#pieces, this.#bytes);
    this.clear();
    return whole;
  }

  /** Forgets them. */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#settled = 0;
    this.#newBytes = 0;
  }
}
