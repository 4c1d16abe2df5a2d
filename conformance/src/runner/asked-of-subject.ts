/**
 * The last that was asked of a subject, in memory that a thread beside it can read: what it was asked when it blocked.
 */

/** Bytes of the text; what is longer loses its beginning. */
const MAX_TEXT_BYTES = 4_096;
/** Lines that are kept. */
const MAX_LINES = 12;
/** Bytes of the length before the text. */
const HEAD_BYTES = 4;

/** Makes room for it. */
export function roomForAsked(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + MAX_TEXT_BYTES);
}

/** Keeps the last lines. */
export class AskedOfSubject {
  readonly #room: SharedArrayBuffer;
  #lines: string[] = [];

  constructor(room: SharedArrayBuffer) {
    this.#room = room;
  }

  /** Something was asked. */
  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    this.#write();
  }

  /** Another run begins. */
  clear(): void {
    this.#lines = [];
    this.#write();
  }

  #write(): void {
    const text = Buffer.from(this.#lines.join('\n')).subarray(-MAX_TEXT_BYTES);
    new Uint8Array(this.#room, HEAD_BYTES).set(text);
    Atomics.store(new Int32Array(this.#room, 0, 1), 0, text.length);
  }
}

/** The lines, from whichever thread. */
export function readAsked(room: SharedArrayBuffer): string {
  const length = Atomics.load(new Int32Array(room, 0, 1), 0);
  return Buffer.from(new Uint8Array(room, HEAD_BYTES, length)).toString('utf8');
}
