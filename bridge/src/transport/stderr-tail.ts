/**
 * Reads a server's stderr to its end, always, so that logging never blocks the server (B08); keeps the last lines for
 * error messages (B06), with secrets removed before anything is cut (B18).
 *
 * A byte is looked at once, and a line is made fit to be shown only when somebody sees it: a server may write millions of
 * them a second, and its neighbours share the loop with it (B19).
 */
import { bytesToShow, showLine, type Redactor } from './redact.ts';

/** Bounds and outlets of one tail. */
export interface StderrTailOptions {
  /** How much is kept. */
  readonly tailBytes: number;
  /** Longest line; the rest of a longer one is dropped. */
  readonly maxLineBytes: number;
  readonly redact: Redactor;
  /** Whether anybody sees the next line; asked for each chunk and after each line that was shown. */
  readonly isSeen: () => boolean;
  /** Called for each line while it is seen, redacted and cut. Blank lines are none. */
  readonly onLine: (line: string) => void;
  /** So many more lines came, which nobody sees; told for each chunk, also when there were none. */
  readonly onUnseen: (count: number) => void;
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** See the module's comment. */
export class StderrTail {
  readonly #options: StderrTailOptions;
  /** How much of a line is kept: what showing it takes, and one byte more that tells that it went on. */
  readonly #lineBytes: number;
  /** How much of the lines is looked at in the end. Twice what may be shown, since secrets are longer than what stands for them. */
  readonly #windowBytes: number;
  /** The last lines as they came, the one that has not ended included; used up to {@link #end}. */
  #store: Buffer = Buffer.alloc(0);
  #end = 0;
  /** Bytes of the line that has not ended. */
  #openBytes = 0;
  #isOpenBlank = true;

  constructor(options: StderrTailOptions) {
    this.#options = options;
    this.#lineBytes = bytesToShow(options.maxLineBytes, options.redact) + 1;
    this.#windowBytes = 2 * (options.tailBytes + this.#lineBytes);
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; from += this.#windowBytes) this.#take(chunk.subarray(from, from + this.#windowBytes));
  }

  /** The last lines, redacted; the one that has not ended included. Empty when nothing was written. */
  text(): string {
    const { tailBytes } = this.#options;
    const from = Math.max(0, this.#end - this.#windowBytes);
    const ended = this.#store.subarray(from, this.#end - this.#openBytes);
    // Of the first line in a full window only the end may be there, which may be the end of a secret (B18).
    const isFirstWhole = this.#end < this.#windowBytes;
    const lines: string[] = [];
    let bytes = 0;
    for (let to = ended.length - 1; to > 0; ) {
      const before = ended.lastIndexOf(LF, to - 1);
      if (before === -1 && !isFirstWhole) break;
      const line = this.#show(ended.subarray(before + 1, to));
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > tailBytes && lines.length > 0) break;
      lines.push(line);
      to = before;
    }
    lines.reverse();
    lines.push(this.#show(this.#openLine()));
    return lines.filter((line) => line !== '').join('\n');
  }

  #take(piece: Buffer): void {
    this.#makeRoom(piece.length);
    const { isSeen, onUnseen } = this.#options;
    let isNextSeen = isSeen();
    let unseen = 0;
    for (let at = this.#copyLine(piece, 0); at < piece.length; at = this.#copyLine(piece, at + 1)) {
      // A blank line leaves nothing behind.
      if (this.#isOpenBlank) this.#end -= this.#openBytes;
      else {
        if (isNextSeen) isNextSeen = this.#report();
        else unseen += 1;
        this.#store[this.#end] = LF;
        this.#end += 1;
      }
      this.#openBytes = 0;
      this.#isOpenBlank = true;
    }
    onUnseen(unseen);
  }

  /** Takes bytes up to the next line end. @returns where that is; the length of the piece when there is none. */
  #copyLine(piece: Buffer, from: number): number {
    const store = this.#store;
    const lineEnd = Math.min(piece.length, from + this.#lineBytes - this.#openBytes);
    let isBlank = this.#isOpenBlank;
    let end = this.#end;
    let at = from;
    for (; at < lineEnd; at += 1) {
      const byte = piece[at];
      if (byte === LF || byte === undefined) break;
      if (byte !== SPACE && byte !== TAB && byte !== CR) isBlank = false;
      store[end] = byte;
      end += 1;
    }
    this.#openBytes += end - this.#end;
    this.#end = end;
    this.#isOpenBlank = isBlank;
    if (at < lineEnd || at === piece.length) return at;
    // The rest of this line is of no use, but there may be one.
    const next = piece.indexOf(LF, at);
    if (next !== at) this.#isOpenBlank = false;
    return next === -1 ? piece.length : next;
  }

  /** @returns whether the next line is seen as well. */
  #report(): boolean {
    const line = this.#show(this.#openLine());
    if (line !== '') this.#options.onLine(line);
    return this.#options.isSeen();
  }

  #openLine(): Buffer {
    return this.#store.subarray(this.#end - this.#openBytes, this.#end);
  }

  #show(line: Buffer): string {
    const wasCut = line.length === this.#lineBytes;
    return showLine(wasCut ? line.subarray(0, -1) : line, wasCut, this.#options.maxLineBytes, this.#options.redact);
  }

  /** Room for so many more bytes, at most a window. What is moved for it is less than what came since the last time. */
  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#store.length) return;
    // A full window is left also when the line that has not ended turns out to be blank: it tells that something was dropped.
    const keptBytes = Math.min(this.#end, this.#windowBytes + this.#lineBytes);
    const size = Math.min(2 * (keptBytes + bytes), 3 * this.#windowBytes);
    const store = size > this.#store.length ? Buffer.alloc(size) : this.#store;
    this.#store.copy(store, 0, this.#end - keptBytes, this.#end);
    this.#store = store;
    this.#end = keptBytes;
  }
}
