/** What a tail makes of what a server writes to stderr. */
import type { Redactor } from '../../src/transport/redact.ts';
import { StderrTail } from '../../src/transport/stderr-tail.ts';

/** What became of the bytes. */
export interface ReadStderr {
  readonly lines: string[];
  readonly text: string;
  readonly unseen: number;
  /** How often something was made fit to be shown. */
  readonly shown: number;
}

/** Bounds in bytes, and how many lines are seen (all of them by default). */
export interface ReadingBounds {
  readonly tailBytes?: number;
  readonly maxLineBytes?: number;
  readonly seen?: number;
}

/** What is made of these chunks where so many lines are seen. */
export function readStderr(chunks: readonly Buffer[], redact: Redactor, { tailBytes = 200, maxLineBytes = 60, seen = Number.POSITIVE_INFINITY }: ReadingBounds = {}): ReadStderr {
  const lines: string[] = [];
  let [unseen, shown] = [0, 0];
  const counting: Redactor = Object.assign(
    (text: string) => {
      shown += 1;
      return redact(text);
    },
    { longest: redact.longest },
  );
  const tail = new StderrTail({
    tailBytes, maxLineBytes, redact: counting,
    isSeen: () => lines.length < seen,
    onLine: (line) => lines.push(line),
    onUnseen: (count) => (unseen += count),
  });
  for (const chunk of chunks) tail.push(chunk);
  return { lines, text: tail.text(), unseen, shown };
}
