import type { Readable, Writable } from 'node:stream';

/** Who looks at the bytes as they go by. */
export interface Onlooker {
  look(chunk: Buffer): void;
  /** The source has ended; called once. */
  end(): void;
}

/** A stream that is being passed on. */
export interface Passage {
  /**
   * Resolves when the source has ended and all of it was taken by the sink, or the sink is gone, or the source has been
   * quiet for `quietMs`, at the latest after `maxMs` from now; what has come by then is handed over all the same. Time in
   * which the sink took nothing does not count.
   */
  finished(quietMs: number, maxMs: number): Promise<void>;
}

/**
 * Passes bytes on as they come, at the pace of the slower side: a full sink stops the source, the end of the source ends
 * the sink, and a sink that closes closes the source, as if the two were one pipe.
 */
export function passOn(source: Readable, sink: Writable, onlooker: Onlooker): Passage {
  let over = false;
  let wake = nothing;
  const finish = (): void => {
    if (over) return;
    over = true;
    onlooker.end();
    wake();
  };
  source.on('data', (chunk: Buffer) => {
    const goesOn = sink.write(chunk);
    onlooker.look(chunk);
    if (!goesOn && !sink.destroyed) {
      source.pause();
      sink.once('drain', () => source.resume());
    }
    wake();
  });
  source.on('end', () => {
    finish();
    sink.end();
  });
  source.on('error', () => {
    finish();
    sink.end();
  });
  source.on('close', finish);
  // The reader is gone: who writes shall learn it the same way.
  sink.on('error', () => {
    source.destroy();
    finish();
  });
  sink.on('close', () => {
    if (!over) source.destroy();
  });

  const handedOver = async (): Promise<void> => {
    if (sink.destroyed || sink.writableFinished || (sink.writableLength === 0 && !sink.writableEnded)) return;
    await new Promise<void>((resolve) => {
      // Ended, it says itself when all is written; a write after the end would throw away what still waits.
      if (!sink.writableEnded) sink.write(Buffer.alloc(0), () => resolve());
      sink.once('close', resolve);
      sink.once('finish', resolve);
    });
  };
  const resumed = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      source.once('resume', resolve);
      source.once('close', resolve);
      sink.once('close', resolve);
    });
  };
  return {
    async finished(quietMs, maxMs) {
      let until = performance.now() + maxMs;
      for (;;) {
        if (over) break;
        // The sink is full: its reader is slow, and a pipe would keep for it what the source has said, however long that takes.
        if (source.isPaused()) {
          const pausedAt = performance.now();
          await resumed();
          until += performance.now() - pausedAt;
          continue;
        }
        const leftMs = Math.max(0, until - performance.now());
        const moved = await new Promise<boolean>((resolve) => {
          // What lies in the pipe is read before the immediate, also when we were held up past the timer.
          const timer = setTimeout(() => setImmediate(resolve, false), Math.min(quietMs, leftMs));
          wake = () => {
            clearTimeout(timer);
            resolve(true);
          };
        });
        // A full sink is not silence.
        if (!source.isPaused() && (!moved || leftMs === 0)) break;
      }
      finish();
      await handedOver();
    },
  };
}

function nothing(): void {
  // Nobody waits yet.
}
