/**
 * Phase × fault × carrier: every cell that has a scenario, through the reference bridge in a real host; every pair of
 * faults of different kinds, one after the other; and cells over HTTP with other kinds of servers (B04, B05, B07, B09, B10, B19, S28, S55, S56, S60).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellRecord } from './cell-record.ts';
import { driveCells } from './drive.ts';
import { figuresOf } from './figures.ts';
import { broken } from './judge.ts';
import { activeResources } from './observe.ts';
import { ALL_CELLS, CELL_PLANS, KIND_PLANS, PAIR_PLANS, pairsIn, type Plan } from './plans.ts';
import { MatrixWorld } from './world.ts';

/** Lives that are under way at once: most of them wait. */
const WIDTH = 10;

// The long ones first.
const plans = [...PAIR_PLANS, ...CELL_PLANS, ...KIND_PLANS];
const records = new Map<string, Promise<CellRecord>>();
let before: Record<string, number>;
let world: MatrixWorld;

beforeAll(async () => {
  before = activeResources();
  world = await MatrixWorld.start();
  const begin = new Map<string, (record: Promise<CellRecord>) => void>();
  for (const { id } of plans) {
    const record = new Promise<CellRecord>((resolve) => begin.set(id, resolve));
    // Whoever asks for it hears of it.
    record.catch(() => undefined);
    records.set(id, record);
  }
  const waiting = plans.map((plan, index) => ({ ...plan, name: `cell-${index}` }));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const record = driveCells(world, next.id, next.cells, next.name);
      begin.get(next.id)?.(record);
      await record.catch(() => undefined);
    }
  };
  for (let worker = 0; worker < WIDTH; worker += 1) void work();
});

afterAll(async () => {
  await world.close();
});

describe('whatever a server does, in whatever phase, its host goes on', () => {
  it.each(plans)('$id', async ({ id }) => {
    const record = await known(id);
    expect(broken(record), record.log.join('\n')).toEqual([]);
  }, 180_000);

  it('and leaves no timer, socket, listener or process behind', async () => {
    await recordsOf(plans);
    await world.close();
    await expect.poll(activeResources, { timeout: 5_000 }).toEqual(before);
  });

  it('in so many cells, with so many faults and calls', async () => {
    const run = { cells: await recordsOf(CELL_PLANS), kinds: await recordsOf(KIND_PLANS), pairs: await recordsOf(PAIR_PLANS) };
    const figures = figuresOf(run, ALL_CELLS.length, pairsIn(PAIR_PLANS));
    await expect(`${JSON.stringify(figures, null, 2)}\n`).toMatchFileSnapshot('../../../snapshots/fault-matrix-figures.json');
  });
});

function recordsOf(some: readonly Plan[]): Promise<CellRecord[]> {
  return Promise.all(some.map(({ id }) => known(id)));
}

async function known(id: string): Promise<CellRecord> {
  const record = await records.get(id);
  if (record === undefined) throw new Error(`no plan ${id}`);
  return record;
}
