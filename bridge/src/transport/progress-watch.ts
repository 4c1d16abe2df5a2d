/** A call that stays alive as long as its server tells of progress (B11, R38). */
import { clampTimerMs } from '../connection-limits.ts';
import type { SentRequest } from './sent-request.ts';
import type { SessionWire } from './session-wire.ts';

/** How long a call may be silent, and by what its progress is known. The library's own timer is the hard limit. */
export interface ProgressTerms {
  /** Unique among the calls of one connection; goes with the call as `_meta.progressToken`. */
  readonly token: number;
  readonly silenceMs: number;
}

/** Gives the request up after silence; each notice of progress begins that time anew. @returns ends the watch */
export function watchSilence(wire: SessionWire, sent: SentRequest, { token, silenceMs }: ProgressTerms): () => void {
  const timer = setTimeout(() => wire.abort(sent, 'neither an answer nor progress within the time', 'silent'), clampTimerMs(silenceMs));
  const unwatch = wire.watchProgress(token, () => timer.refresh());
  return () => {
    clearTimeout(timer);
    unwatch();
  };
}
