/** Defects of a bridge whose servers share what each should have to itself. An order of things at two servers brings them out. */
import { referenceStages, type OpenedSession } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';
import { replaced } from './sessions.ts';

/** While the list of one server is read, what another server announces is forgotten. */
const oneListingForAll: Mutant = mutant('GENERATION-051', 'forgets-what-another-announces-in-a-listing', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      let listing: object | undefined;
      return {
        createCoalescer: (options) => {
          const own = {};
          // A listing that its server did not outlive is no listing any more.
          listing = undefined;
          const inner = referenceStages.createCoalescer({
            ...options,
            refresh: async () => {
              listing = own;
              try {
                return await options.refresh();
              } finally {
                listing = undefined;
              }
            },
          });
          return {
            ...inner,
            notice: () => {
              if (listing === undefined || listing === own) inner.notice();
            },
          };
        },
      };
    }),
});

/** A list that was being read anew when another server ended counts as broken off, and all but its last tool is taken. */
const takesTheEndOfAnother: Mutant = mutant('GENERATION-050', 'takes-part-of-a-list-when-another-server-ends', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      const listed = new WeakSet<object>();
      let ends = 0;
      return {
        drainTools: async (serverName, session, limits) => {
          const isAgain = listed.has(session);
          const before = ends;
          const tools = await referenceStages.drainTools(serverName, session, limits);
          if (!isAgain) {
            listed.add(session);
            void session.closed.then(() => (ends += 1));
          }
          return isAgain && ends !== before && session.isOpen ? tools.slice(0, -1) : tools;
        },
      };
    }),
});

/** A call that was under way when another server ended is sent once more, as if its own connection had been lost. */
const sendsAgainForAnother: Mutant = mutant('CALL-050', 'sends-again-when-another-server-ends', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      let ends = 0;
      return {
        openSession: async (options) => {
          const session: OpenedSession = await referenceStages.openSession(options);
          void session.closed.then(() => (ends += 1));
          return replaced(session, {
            callTool: async (rawName, args, limits) => {
              const before = ends;
              const result = await session.callTool(rawName, args, limits);
              return ends === before ? result : session.callTool(rawName, args, limits);
            },
          });
        },
      };
    }),
});

/** A connection with a call under way is left open at the end of the bridge, or of its server, while another one has a call too. */
const leavesOneBesideAnother: Mutant = mutant('ISOLATION-050', 'leaves-a-busy-server-beside-a-busy-one', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      const busy = new Map<object, number>();
      return {
        openSession: async (options) => {
          const session = await referenceStages.openSession(options);
          return replaced(session, {
            callTool: async (rawName, args, limits) => {
              busy.set(session, (busy.get(session) ?? 0) + 1);
              try {
                return await session.callTool(rawName, args, limits);
              } finally {
                const left = (busy.get(session) ?? 1) - 1;
                if (left > 0) busy.set(session, left);
                else busy.delete(session);
              }
            },
            close: async () => {
              if (!busy.has(session) || busy.size === 1) await session.close();
            },
          });
        },
      };
    }),
});

/** Defects of what is shared. */
export const modelServerMutants: readonly Mutant[] = [oneListingForAll, takesTheEndOfAnother, sendsAgainForAnother, leavesOneBesideAnother];
