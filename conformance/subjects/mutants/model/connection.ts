/** Defects of calls and of the end that only an order of things brings out. */
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';
import { replaced } from './sessions.ts';

/** A call that was under way while the list was read is sent once more, as if its answer belonged to the past. */
const sendsAgain: Mutant = mutant('CALL-050', 'sends-again-after-a-listing', {
  kind: 'stage',
  // Over HTTP the list is read once more after connecting, so a call whose answer is lost is sent again too.
  create: () =>
    withStages(() => ({
      openSession: async (options) => {
        const session = await referenceStages.openSession(options);
        let pages = 0;
        return replaced(session, {
          listToolsPage: (cursor, limits) => {
            pages += 1;
            return session.listToolsPage(cursor, limits);
          },
          callTool: async (rawName, args, limits) => {
            const before = pages;
            const result = await session.callTool(rawName, args, limits);
            return pages === before ? result : session.callTool(rawName, args, limits);
          },
        });
      },
    })),
});

/** A connection with a call under way is left open when the server is given up, until that call ends. */
const leavesBusy: Mutant = mutant('ISOLATION-050', 'leaves-a-busy-server', {
  kind: 'stage',
  create: () =>
    withStages(() => ({
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
            if (underWay === 0) await session.close();
          },
        });
      },
    })),
});

/** Defects of calls and of the end. */
export const modelConnectionMutants: readonly Mutant[] = [sendsAgain, leavesBusy];
