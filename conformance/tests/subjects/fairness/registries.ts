/** How a registry is filled and how a change comes to be known. */
import type { BridgeAdapter } from '../../../src/adapter/bridge-adapter.ts';
import type { MinimalAdapter } from '../../../subjects/minimal/index.ts';
import { liberty, type Liberty } from './vary.ts';

const LISTS = ['NAMING-001', 'DISCOVERY-002', 'DISCOVERY-011', 'GENERATION-001', 'GENERATION-002', 'GENERATION-051'] as const;

/** Lists afresh when it is looked at, and tells nothing by itself. */
export function listingAfresh(inner: MinimalAdapter): Partial<BridgeAdapter> {
  let open = false;
  return {
    open: async (request) => {
      open = true;
      return inner.open(request);
    },
    close: async () => {
      open = false;
      await inner.close();
    },
    tools: async () => {
      if (open) await inner.bridge.refresh();
      return inner.tools();
    },
    onNotification: (listener) => inner.onNotification((told) => {
      if (told.type !== 'registry') listener(told);
    }),
  };
}

/** Follows, but has no event by which it could tell. */
const keepingQuiet = (inner: MinimalAdapter): Partial<BridgeAdapter> => ({
  onNotification: (listener) => inner.onNotification((told) => {
    if (told.type !== 'registry') listener(told);
  }),
});

/** Liberties of registries. */
export const registryLiberties: readonly Liberty[] = [
  liberty('lists afresh at each look and follows nothing', [...LISTS, 'GENERATION-050', 'ISOLATION-002', 'HOST-001'], {
    follows: false, declares: { registry: 'pull', features: ['reconnect', 'abort', 'shared-registry', 'reload', 'outcomes'] },
  }, listingAfresh),
  liberty('lists afresh at each look and cannot do anything else', [...LISTS, 'CALL-003', 'CALL-050', 'ISOLATION-050', 'HOST-001'], {
    follows: false, declares: { registry: 'pull', servers: 'one', features: [], options: [], names: { scheme: 'own', pattern: '.+', maxLength: 60, qualified: true } },
  }, listingAfresh),
  liberty('lists afresh at each look and follows announcements too', ['DISCOVERY-002', 'DISCOVERY-011', 'GENERATION-007', 'GENERATION-050'], { declares: { registry: 'pull' } }, listingAfresh),
  liberty('follows announcements and shows at a look what it knows', ['NAMING-001', 'GENERATION-001', 'GENERATION-051'], { declares: { registry: 'pull' } }, keepingQuiet),
  liberty('follows announcements and cannot tell of a change', ['NAMING-001', 'GENERATION-001', 'GENERATION-051'], { declares: { bounds: { settleMs: 700, closeMs: 1_500, reconnectMs: 3_000 } } }, keepingQuiet),
  liberty('lists when it opens and never again', [...LISTS, 'GENERATION-050', 'ISOLATION-050'], {
    follows: false, declares: { features: ['reconnect', 'abort', 'shared-registry', 'outcomes'] },
  }),
];
