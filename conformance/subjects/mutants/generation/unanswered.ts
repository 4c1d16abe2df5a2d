/** Defects in what becomes of a listing that is never answered. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { onWire, withStages } from '../plant.ts';

/** No time that an exercise waits, in milliseconds. */
const FOREVER_MS = 3_600_000;

/** The first listing of each server has its limits, those that follow have none. */
const unlimitedRefresh = (): ReturnType<typeof withStages> =>
  withStages(() => {
    const listed = new Set<string>();
    return {
      drainTools: async (server, session, limits) => {
        if (listed.has(server)) return referenceStages.drainTools(server, session, { ...limits, discoveryTimeoutMs: FOREVER_MS, syncTimeoutMs: FOREVER_MS });
        const tools = await referenceStages.drainTools(server, session, limits);
        listed.add(server);
        return tools;
      },
    };
  });

/** Nobody is told that a listing is given up. */
const silentEnd = (): ReturnType<typeof onWire> =>
  onWire(() => {
    const listings = new Set<unknown>();
    return {
      send: async (message, pass) => {
        const { method, id, params } = message as { readonly method?: string; readonly id?: unknown; readonly params?: { readonly requestId?: unknown } };
        if (method === 'tools/list') listings.add(id);
        if (method !== 'notifications/cancelled' || !listings.has(params?.requestId)) await pass(message);
      },
    };
  });

/** See the names. */
export const unansweredMutants: readonly Mutant[] = [
  mutant('GENERATION-012', 'no-limit-on-a-refresh', { kind: 'stage', create: unlimitedRefresh }),
  mutant('GENERATION-013', 'gives-up-in-silence', { kind: 'wire', create: silentEnd }),
];
