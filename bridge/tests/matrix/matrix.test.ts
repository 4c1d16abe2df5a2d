/** Phase × fault × carrier: every cell that has a scenario, through the reference bridge in a real host. */
import { faultCells } from 'mcp-fixture-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellRecord } from './cell-record.ts';
import { driveCell, type DrivenCell } from './drive.ts';
import { figuresOf } from './figures.ts';
import { broken } from './judge.ts';
import { activeResources } from './observe.ts';
import { MatrixWorld } from './world.ts';

/** Cells that are under way at once: most of them wait. */
const WIDTH = 10;

const all = faultCells();
const cells = all.filter((cell): cell is DrivenCell => 'scenario' in cell);
const records = new Map<string, Promise<CellRecord>>();
let before: Record<string, number>;
let world: MatrixWorld;

beforeAll(async () => {
  before = activeResources();
  world = await MatrixWorld.start();
  const waiting = cells.map((cell, index) => ({ cell, name: `cell-${index}` }));
  const begin = new Map<string, (record: Promise<CellRecord>) => void>();
  for (const { id } of cells) {
    const record = new Promise<CellRecord>((resolve) => begin.set(id, resolve));
    // Whoever asks for it hears of it.
    record.catch(() => undefined);
    records.set(id, record);
  }
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const record = driveCell(world, next.cell, next.name);
      begin.get(next.cell.id)?.(record);
      await record.catch(() => undefined);
    }
  };
  for (let worker = 0; worker < WIDTH; worker += 1) void work();
});

afterAll(async () => {
  await world.close();
});

describe('whatever a server does, in whatever phase, its host goes on', () => {
  it.each(cells)('$id', async ({ id }) => {
    const record = await known(id);
    expect(broken(record), record.log.join('\n')).toEqual([]);
  });

  it('and leaves no timer, socket, listener or process behind', async () => {
    for (const { id } of cells) await known(id);
    await world.close();
    await expect.poll(activeResources, { timeout: 5_000 }).toEqual(before);
  });

  it('in so many cells, with so many faults and calls', async () => {
    const done = await Promise.all(cells.map(({ id }) => known(id)));
    await expect(`${JSON.stringify(figuresOf(all.length, done), null, 2)}\n`).toMatchFileSnapshot('../../../snapshots/fault-matrix-figures.json');
  });
});

async function known(id: string): Promise<CellRecord> {
  const record = await records.get(id);
  if (record === undefined) throw new Error(`no cell ${id}`);
  return record;
}
