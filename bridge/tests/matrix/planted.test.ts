/** Bridges with one defect, each in a cell that has to show it: what the matrix says of the real one is worth as much. */
import { afterEach, describe, expect, it } from 'vitest';
import { createBridgePlugin, referenceStages, type BridgeStages } from '../../src/internal.ts';
import { driveCells } from './drive.ts';
import { broken } from './judge.ts';
import { CELL_PLANS } from './plans.ts';
import { MatrixWorld } from './world.ts';

let world: MatrixWorld | undefined;
afterEach(async () => {
  await world?.close();
});

const leavesServers: Partial<BridgeStages> = { disposeSteps: referenceStages.disposeSteps.filter((step) => step !== 'close-connection') };
const callsAgain: Partial<BridgeStages> = {
  callTool: async (input, stages) => {
    await referenceStages.callTool(input, stages);
    return referenceStages.callTool(input, stages);
  },
};
const hidesFailures: Partial<BridgeStages> = {
  drainTools: (...listing) => referenceStages.drainTools(...listing).catch(() => []),
};
const staysDown: Partial<BridgeStages> = { decideReconnect: (_policy, state) => ({ state, decision: { kind: 'disabled' } }) };

describe('the matrix finds', () => {
  it.each<[string, Partial<BridgeStages>, string, RegExp[]]>([
    ['a server that is left running', leavesServers, 'idle/noise/stdio', [/a process is left/]],
    ['a session that is left open', leavesServers, 'idle/noise/streamable-http', [/connections are left/, /not deleted/]],
    ['a call that is sent twice', callsAgain, 'call-in-flight/noise/stdio', [/sent 2 times/, /sent 2 times/, /sent 2 times/]],
    ['a failed listing that nobody is told of', hidesFailures, 'listing-after-a-change/cursor-that-never-advances/stdio', [/nothing says why/]],
    ['a server that is given up at once', staysDown, 'idle/exit/stdio', [/the registry is not/]],
  ])('%s', async (_what, defect, id, expected) => {
    const plan = CELL_PLANS.find((each) => each.id === id);
    if (plan === undefined) throw new Error(`no cell ${id}`);
    world = await MatrixWorld.start(createBridgePlugin(defect));
    const record = await driveCells(world, id, plan.cells, 'cell', 2_000);
    expect(broken(record)).toEqual(expected.map((line) => expect.stringMatching(line)));
  });
});
