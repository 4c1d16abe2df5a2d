import type { Effect } from '../../engine/events.ts';
import { LOOK_AFTER_BYTES, MAX_PENDING_BYTES } from './bounds.ts';
import type { Exchange } from './exchange.ts';

/** Watches how much waits for readers. */
export interface PendingWatch {
  /** Something is sent. */
  sent(effect: Effect): void;
  /** Whether so much waits that no request may be taken. */
  isOverfull(): boolean;
}

/** Makes a watch over the exchanges of a server. */
export function createPendingWatch(exchanges: ReadonlyMap<number, Exchange>): PendingWatch {
  let sinceLook = 0;
  let overfull = false;
  return {
    sent(effect) {
      if (effect.type === 'send') sinceLook += effect.text.length;
      else if (effect.type === 'raw') sinceLook += effect.bytes.length;
      else if (effect.type === 'respond') sinceLook += effect.options.body?.length ?? 0;
    },
    isOverfull() {
      if (!overfull && sinceLook < LOOK_AFTER_BYTES) return false;
      sinceLook = 0;
      let bytes = 0;
      for (const { output, request } of exchanges.values()) bytes += Math.max(output?.pendingBytes() ?? 0, request.socket.writableLength);
      overfull = bytes > MAX_PENDING_BYTES;
      return overfull;
    },
  };
}
