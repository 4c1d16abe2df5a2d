import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mutants } from '../../subjects/mutants/index.ts';

/** Numbers from here on are the model's; its mutants are proved beside it. */
const MODEL_FROM = 50;

it('the mutants of every area have a file that proves them, so that files run side by side and none is left out', async () => {
  const files = (await readdir(import.meta.dirname)).map((file) => path.basename(file, '.test.ts'));
  const areas = mutants.flatMap(({ kills }) => {
    const [area = '', number = ''] = kills.split('-');
    return Number(number) < MODEL_FROM ? [area.toLowerCase()] : [];
  });
  expect([...new Set(areas)].filter((area) => !files.includes(area))).toEqual([]);
});
