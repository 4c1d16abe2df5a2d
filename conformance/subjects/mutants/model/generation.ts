/** Defects of a registry that only an order of things brings out. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

/** The sync after one that failed adds what is new and forgets to remove what is gone. */
const keepsTheGone: Mutant = mutant('GENERATION-050', 'keeps-the-gone-after-a-failure', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      const failed = new Set<string>();
      return {
        openSession: (options) => {
          failed.delete(options.serverName);
          return referenceStages.openSession(options);
        },
        drainTools: async (serverName, session, limits) => {
          try {
            return await referenceStages.drainTools(serverName, session, limits);
          } catch (error) {
            if (session.isOpen) failed.add(serverName);
            throw error;
          }
        },
        swapGeneration: (input) => {
          const isMerge = failed.delete(input.serverName) && input.next.length > 0;
          if (!isMerge) return referenceStages.swapGeneration(input);
          const listed = new Set(input.next.map(({ slot }) => slot.rawName));
          const gone = input.current.filter(({ slot }) => !listed.has(slot.rawName));
          return referenceStages.swapGeneration({ ...input, next: [...input.next, ...gone] });
        },
      };
    }),
});

/** A listing that breaks off after its first page counts as a whole one. */
const takesAPart: Mutant = mutant('GENERATION-050', 'takes-part-of-a-broken-listing', {
  kind: 'stage',
  create: () =>
    withStages(() => ({
      drainTools: async (_serverName, session, limits) => {
        const pages: unknown[] = [];
        let cursor: string | undefined;
        for (;;) {
          try {
            const page = await session.listToolsPage(cursor, { timeoutMs: limits.discoveryTimeoutMs, signal: limits.signal });
            pages.push(...page.tools);
            cursor = page.nextCursor;
          } catch (error) {
            if (pages.length === 0 || !session.isOpen) throw error;
            return pages;
          }
          if (cursor === undefined) return pages;
        }
      },
    })),
});

/** What is announced during a listing is forgotten when that listing brings nothing new. */
const forgetsAnnouncement: Mutant = mutant('GENERATION-051', 'forgets-an-announcement-in-a-vain-listing', {
  kind: 'stage',
  create: () =>
    withStages(() => ({
      createCoalescer: (options) => {
        let isListing = false;
        let wasAnnounced = false;
        const inner = referenceStages.createCoalescer({
          ...options,
          refresh: async () => {
            isListing = true;
            const foundNew = await options.refresh();
            isListing = false;
            if (wasAnnounced && foundNew) inner.notice();
            wasAnnounced = false;
            return foundNew;
          },
        });
        return {
          ...inner,
          notice: () => {
            if (isListing) wasAnnounced = true;
            else inner.notice();
          },
        };
      },
    })),
});

/** Defects of the registry. */
export const modelGenerationMutants: readonly Mutant[] = [keepsTheGone, takesAPart, forgetsAnnouncement];
