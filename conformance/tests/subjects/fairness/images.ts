/** When a route is looked up, and what a program's call looks like. */
import { liberty, type Liberty } from './vary.ts';

/** Liberties of images. */
export const imageLiberties: readonly Liberty[] = [
  liberty('looks up the route of each call before it is sent', ['PROJECTION-021', 'PROJECTION-027', 'PROJECTION-028', 'PROJECTION-029'], {}, (inner) => {
    const early = new Map<string, AbortController>();
    return {
      call: async (request) => {
        const stop = new AbortController();
        early.set(request.callId, stop);
        await inner.host.galleryOf(request.agent).isWanted(stop.signal);
        early.delete(request.callId);
        if (!stop.signal.aborted) return inner.call(request);
        return { outcome: 'aborted', executed: 'no', view: [{ type: 'text', text: 'given up' }], message: 'given up' };
      },
      cancel: async (callId) => {
        early.get(callId)?.abort();
        await inner.cancel(callId);
      },
    };
  }),
  liberty("shows the call of a program in words, its agent's images left out", ['PROJECTION-026', 'PROJECTION-030', 'PROJECTION-031'], {}, (inner) => ({
    call: ({ agent, ...request }) => inner.call(request.via === 'program' || agent === undefined ? request : { ...request, agent }),
  })),
];
