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

/** Connections that are closed at the same time, as when the bridge ends, are closed but for the second one with a call under way. */
const leavesOneOfTwo: Mutant = mutant('ISOLATION-050', 'leaves-one-of-two-busy-servers-at-the-end', {
  kind: 'stage',
  create: () =>
    withStages(() => {
      let closing = 0;
      return {
        openSession: async (options) => {
          const session = await referenceStages.openSession(options);
          let underWay = 0;
          return replaced(session, {
            callTool: async (rawName, args, limits) => {
              underWay += 1;
              try {
                return await session.callTool(rawName, args, limits);
              } finally {
                underWay -= 1;
              }
            },
            close: async () => {
              if (underWay > 0 && closing > 0) return;
              closing += underWay > 0 ? 1 : 0;
              try {
                await session.close();
              } finally {
                closing = 0;
              }
            },
          });
        },
      };
    }),
});

/** Defects of what is shared. */
export const modelServerMutants: readonly Mutant[] = [oneListingForAll, takesTheEndOfAnother, sendsAgainForAnother, leavesOneOfTwo];
