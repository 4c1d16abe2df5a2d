/** A defect of the end of the whole bridge that only what is under way then brings out, and only the next life shows. */
import { referenceStages, type BuiltTool } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

/** Who is closed while the list of a server is read forgets to forget its tools, and offers them again when it is opened again. */
const keepsItsFormerLife: Mutant = mutant('ISOLATION-050', 'offers-the-tools-of-its-former-life', {
  kind: 'adapter',
  // What is remembered belongs to one adapter.
  create: () => () => {
    const listing = new Map<string, number>();
    const offered = new Map<string, readonly BuiltTool[]>();
    const former = new Map<string, readonly BuiltTool[]>();
    return around(
      (inner) => ({
        async close() {
          former.clear();
          for (const serverName of listing.keys()) former.set(serverName, offered.get(serverName) ?? []);
          await inner.close();
        },
        async remove(name) {
          former.delete(name);
          await inner.remove(name);
        },
      }),
      {
        drainTools: async (serverName, session, limits) => {
          listing.set(serverName, (listing.get(serverName) ?? 0) + 1);
          try {
            return await referenceStages.drainTools(serverName, session, limits);
          } finally {
            const left = (listing.get(serverName) ?? 1) - 1;
            if (left > 0) listing.set(serverName, left);
            else listing.delete(serverName);
          }
        },
        swapGeneration: (input) => {
          offered.set(input.serverName, input.next);
          const listed = new Set(input.next.map(({ slot }) => slot.rawName));
          const left = (former.get(input.serverName) ?? []).filter(({ slot }) => !listed.has(slot.rawName));
          return referenceStages.swapGeneration({ ...input, next: input.next.length === 0 ? [] : [...input.next, ...left] });
        },
      },
    )();
  },
});

/** Defects of the end of everything. */
export const modelDisposalMutants: readonly Mutant[] = [keepsItsFormerLife];
