/**
 * Cuts a byte stream into lines: at LF and nowhere else, whatever the chunks (B25). Linear in the bytes, bounded in
 * memory (B01): a line past the limit is not kept, only its ends.
 */
import { Pieces } from './pieces.ts';

/** Bytes kept of each end of an oversized line: enough for the envelope of a JSON-RPC message. */
export const KEPT_END_BYTES = 256;
/** While the line may go on: a trailing CR is no part of the message. */
const KEPT_TAIL_BYTES = KEPT_END_BYTES + 1;

/** A line that was longer than the limit. */
export interface OversizedLine {
  /** Its first bytes, at most 256. */
  readonly head: Buffer;
  /** Its last bytes, at most 256. */
  readonly tail: Buffer;
  /** Neither line end nor byte order mark are counted, nor are they in the ends. */
  readonly bytes: number;
}

/** Receives what a {@link LineSplitter} finds, in order. */
export interface LineSink {
  /** One line without its line end. The bytes are only valid during the call. */
  onLine(line: Buffer): void;
  /** One line that was longer than the limit, when its end came. */
  onOversized(line: OversizedLine): void;
  /** A line is longer than twice the limit, whether it ends or not; nothing further is delivered. */
  onEndless(): void;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** See the module's comment. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  /** What is kept of the line that has not ended. */
  readonly #pieces = new Pieces();
  /** Bytes of that line, kept or not. */
  #bytes = 0;
  /** Set while the line is past the limit: its ends. */
  #ends: { head: Buffer; tail: Buffer; markBytes: number } | undefined;
  #first = true;
  #stopped = false;

  constructor(maxLineBytes: number, sink: LineSink) {
    this.#maxLineBytes = maxLineBytes;
    this.#sink = sink;
  }

  /** Bytes of a line that has not ended. */
  get unfinishedBytes(): number {
    return this.#bytes;
  }

  /** Takes the next bytes; calls the sink for each line they end. */
  push(chunk: Buffer): void {
    let from = 0;
    while (!this.#stopped) {
      const at = chunk.indexOf(LF, from);
      if (at === -1) break;
      this.#end(chunk.subarray(from, at));
      from = at + 1;
    }
    if (!this.#stopped && from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** Delivers nothing further. */
  stop(): void {
    this.#stopped = true;
    this.#pieces.clear();
    this.#bytes = 0;
    this.#ends = undefined;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > 2 * this.#maxLineBytes) {
      this.#giveUp();
      return;
    }
    if (this.#ends !== undefined) {
      this.#ends.tail = lastBytes(this.#ends.tail, piece);
      return;
    }
    this.#pieces.add(piece);
    // Room for a trailing CR and a leading BOM, which are no part of the message.
    if (this.#bytes > this.#maxLineBytes + 1 + (this.#first ? BOM.length : 0)) this.#keepEndsOnly();
  }

  #end(piece: Buffer): void {
    if (this.#bytes === 0) {
      this.#deliver(piece);
      return;
    }
    this.#add(piece);
    if (this.#stopped) return;
    const ends = this.#ends;
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#ends = undefined;
    if (ends !== undefined) {
      this.#first = false;
      const crBytes = ends.tail.at(-1) === CR ? 1 : 0;
      const tail = ends.tail.subarray(0, ends.tail.length - crBytes).subarray(-KEPT_END_BYTES);
      this.#sink.onOversized({ head: ends.head, tail, bytes: bytes - ends.markBytes - crBytes });
    } else {
      this.#deliver(this.#pieces.take());
    }
  }

  #giveUp(): void {
    this.stop();
    this.#sink.onEndless();
  }

  #deliver(raw: Buffer): void {
    if (raw.length > 2 * this.#maxLineBytes) {
      this.#giveUp();
      return;
    }
    let line = raw.at(-1) === CR ? raw.subarray(0, -1) : raw;
    if (this.#first) {
      this.#first = false;
      if (startsWithMark(line)) line = line.subarray(BOM.length);
    }
    if (line.length > this.#maxLineBytes) {
      const head = line.subarray(0, KEPT_END_BYTES);
      this.#sink.onOversized({ head, tail: line.subarray(-KEPT_END_BYTES), bytes: line.length });
    } else {
      this.#sink.onLine(line);
    }
  }

  #keepEndsOnly(): void {
    const whole = this.#pieces.take();
    const markBytes = this.#first && startsWithMark(whole) ? BOM.length : 0;
    // Copies, so that the whole line can be freed.
    this.#ends = {
      head: Buffer.from(whole.subarray(markBytes, markBytes + KEPT_END_BYTES)),
      tail: Buffer.from(whole.subarray(-KEPT_TAIL_BYTES)),
      markBytes,
    };
  }
}

function startsWithMark(line: Buffer): boolean {
  return line.subarray(0, BOM.length).equals(BOM);
}

/** The last bytes of two pieces in a row, copied. */
function lastBytes(before: Buffer, piece: Buffer): Buffer {
  return Buffer.concat([before, piece]).subarray(-KEPT_TAIL_BYTES);
}
