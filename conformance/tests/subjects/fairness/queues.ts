/** How many calls a server gets at once. */
import type { BridgeAdapter, CallReply } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter } from '../../../subjects/minimal/index.ts';
import { liberty, type Liberty } from './vary.ts';

/** Sends a call when the one before it at the same server has ended; one that is given up while it waits is never sent. */
function inTurn(inner: MinimalAdapter): Partial<BridgeAdapter> {
  const last = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, () => void>();
  return {
    call: (request) => {
      // The plain names of the minimal bridge begin with the server's.
      const server = request.name.slice(0, request.name.indexOf('.'));
      const before = last.get(server);
      const givenUp = new Promise<void>((resolve) => waiting.set(request.callId, resolve));
      const reply = (async (): Promise<CallReply> => {
        await Promise.race([before, givenUp]);
        if (waiting.delete(request.callId)) return inner.call(request);
        return { outcome: 'aborted', executed: 'no', view: [], message: 'it was given up before its turn came' };
      })();
      last.set(server, Promise.allSettled([before, reply]));
      return reply;
    },
    cancel: async (callId) => {
      const leave = waiting.get(callId);
      waiting.delete(callId);
      if (leave === undefined) await inner.cancel(callId);
      else leave();
    },
  };
}

/** Liberties of queues. */
export const queueLiberties: readonly Liberty[] = [
  liberty('sends a server one call at a time', ['ISOLATION-002', 'CALL-010', 'CALL-011', 'CALL-038', 'CALL-039', 'CALL-050'], {}, inTurn),
];
