/**
 * Reads a server's stderr to its end, always, so that logging never blocks the server (B08); keeps the last lines for
 * error messages (B06), with secrets removed before anything is cut (B18).
 */
import { bytesToShow, showLine, type Redactor } from './redact.ts';

/** Bounds and outlets of one tail. */
export interface StderrTailOptions {
  /** How much is kept. */
  readonly tailBytes: number;
  /** Longest line; the rest of a longer one is dropped. */
  readonly maxLineBytes: number;
  readonly redact: Redactor;
  /** Called for each line, redacted and cut. */
  readonly onLine: (line: string) => void;
}

const LF = 0x0a;

/** See the module's comment. */
export class StderrTail {
  readonly #options: StderrTailOptions;
  readonly #lines: string[] = [];
  #linesBytes = 0;
  /** The line that has not ended, up to {@link #room} bytes of it. */
  #open: Buffer = Buffer.alloc(0);
  #cut = false;
  readonly #room: number;

  constructor(options: StderrTailOptions) {
    this.#options = options;
    this.#room = bytesToShow(options.maxLineBytes, options.redact);
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  /** The last lines, redacted; the one that has not ended included. Empty when nothing was written. */
  text(): string {
    const open = this.#render();
    return [...this.#lines, ...(open === '' ? [] : [open])].join('\n');
  }

  #add(piece: Buffer): void {
    const left = this.#room - this.#open.length;
    if (piece.length > left) this.#cut = true;
    if (piece.length > 0 && left > 0) this.#open = Buffer.concat([this.#open, piece.subarray(0, left)]);
  }

  #endLine(): void {
    const line = this.#render();
    this.#open = Buffer.alloc(0);
    this.#cut = false;
    if (line === '') return;
    this.#options.onLine(line);
    this.#lines.push(line);
    this.#linesBytes += Buffer.byteLength(line) + 1;
    while (this.#linesBytes > this.#options.tailBytes && this.#lines.length > 1) {
      for (const oldest of this.#lines.splice(0, 1)) this.#linesBytes -= Buffer.byteLength(oldest) + 1;
    }
  }

  #render(): string {
    return showLine(this.#open, this.#cut, this.#options.maxLineBytes, this.#options.redact);
  }
}
