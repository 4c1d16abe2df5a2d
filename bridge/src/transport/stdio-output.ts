/**
 * What the process of a server writes: messages and noise on stdout (B06, B08), anything on stderr. Bounded, whatever it is
 * (B01).
 */
import type { Readable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionLimits } from '../connection-limits.ts';
import { LineSplitter, type OversizedLine } from './line-splitter.ts';
import { tooManyValues } from './message-values.ts';
import { readInTurns } from './read-in-turns.ts';
import type { Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { StderrTail } from './stderr-tail.ts';
import { answeredRequest, limitExceededAnswer, parseStdioLine } from './stdio-messages.ts';
import { StdoutNoise } from './stdout-noise.ts';

/** Bounds and outlets. */
export interface StdioOutputOptions {
  readonly limits: ConnectionLimits;
  readonly redact: Redactor;
  readonly reports: ReportLimiter;
  /** Called with each message, in order. */
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** A message is too long, and no request can be failed in its place: the connection cannot go on. */
  readonly onHopeless: (detail: string) => void;
}

/** The two pipes. */
export interface OutputPipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** See the module's comment. */
export class StdioOutput {
  readonly #options: StdioOutputOptions;
  readonly #splitter: LineSplitter;
  readonly #stderr: StderrTail;
  readonly #noise: StdoutNoise;
  #chunksSeen = 0;

  constructor(options: StdioOutputOptions) {
    this.#options = options;
    const { limits, redact, reports, onHopeless } = options;
    this.#splitter = new LineSplitter(limits.maxMessageBytes, {
      onLine: (line) => this.#receive(line),
      onOversized: (line) => this.#receiveOversized(line),
      onEndless: () => onHopeless(`a message grew past ${2 * limits.maxMessageBytes} bytes, twice \`maxMessageBytes\`, without an end; raise \`maxMessageBytes\``),
    });
    this.#stderr = new StderrTail({
      tailBytes: limits.stderrTailBytes,
      maxLineBytes: limits.maxReportedLineBytes,
      redact,
      isSeen: () => reports.isOpen('stderr'),
      onLine: (line) => reports.report('stderr', 'debug', `stderr: ${line}`),
      onUnseen: (count) => reports.leaveOut('stderr', count),
    });
    this.#noise = new StdoutNoise({ maxLineBytes: limits.maxReportedLineBytes, redact, reports });
  }

  /** Lines on stdout that were no message. */
  get skipped(): number {
    return this.#noise.count;
  }

  /** Begins to read. */
  read({ stdout, stderr }: OutputPipes): void {
    for (const [pipe, reader] of [[stdout, this.#splitter], [stderr, this.#stderr]] as const) {
      readInTurns(pipe, (chunk) => {
        this.#chunksSeen += 1;
        reader.push(chunk);
      });
    }
  }

  /**
   * Reads what was in the pipes when the leader exited: until both ended, or a turn of the loop brought nothing new.
   * @param now milliseconds; it takes `drainAfterExitMs` of them at the most
   */
  async readRest({ stdout, stderr }: OutputPipes, now: () => number): Promise<void> {
    const deadline = now() + this.#options.limits.drainAfterExitMs;
    let seen: number;
    do {
      seen = this.#chunksSeen;
      if (stdout.readableEnded && stderr.readableEnded) break;
      // The first turn may be the one in which the exit was seen; the second one has polled the pipes since.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    } while (seen !== this.#chunksSeen && now() < deadline);
    if (this.#splitter.unfinishedBytes > 0) {
      this.#options.reports.report('noise', 'warn', 'the last message on stdout was cut off; it was dropped');
    }
  }

  /** Delivers no message any more. */
  stop(): void {
    this.#splitter.stop();
  }

  /** What the server wrote last, if not in messages, secrets removed; empty when it wrote nothing of the kind (B06). */
  lastWords(): string {
    const tail = this.#stderr.text();
    if (tail !== '') return `its stderr ended with:\n${tail}`;
    const noise = this.#noise.lastWords();
    return noise === '' ? '' : `its stdout ended with:\n${noise}`;
  }

  #receive(line: Buffer): void {
    const { maxMessageValues } = this.#options.limits;
    const messages = parseStdioLine(line, maxMessageValues);
    if (messages === undefined) {
      this.#noise.add(line);
      return;
    }
    if (!Array.isArray(messages)) {
      this.#refuse(messages, tooManyValues(maxMessageValues));
      return;
    }
    if (messages.length > 0) this.#noise.forget();
    for (const message of messages) this.#options.onMessage(message);
  }

  #receiveOversized(line: OversizedLine): void {
    this.#refuse(line, `the server sent a message of ${line.bytes} bytes, more than \`maxMessageBytes\` (${this.#options.limits.maxMessageBytes}) allows`);
  }

  /** Fails the request that the line answers; without one nobody can tell what is missing. */
  #refuse(line: OversizedLine, text: string): void {
    const { reports, onMessage, onHopeless } = this.#options;
    const id = answeredRequest(line);
    if (id === undefined) {
      onHopeless(text);
    } else {
      reports.report('protocol', 'warn', text);
      onMessage(limitExceededAnswer(id, text));
    }
  }
}
