import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readInTurns } from '../../src/transport/read-in-turns.ts';

/** What is read of these chunks, by first letter and length, and when another job had its turn, with so many milliseconds of work on each piece. */
async function turns(workMs: number, chunks: readonly string[], pauseMs = 0): Promise<readonly string[]> {
  const [pipe, seen] = [new PassThrough({ highWaterMark: 1_000_000 }), new Array<string>()];
  let timeMs = 0;
  readInTurns(
    pipe,
    (piece) => {
      timeMs += workMs;
      seen.push(`${piece.toString().slice(0, 1)}${piece.length}`);
      setImmediate(() => {
        if (seen.at(-1) !== 'other') seen.push('other');
      });
    },
    () => timeMs,
  );
  pipe.on('data', () => (timeMs += pauseMs));
  for (const text of chunks) pipe.write(text);
  const ended = new Promise((resolve) => pipe.on('end', resolve));
  pipe.end();
  await ended;
  return seen;
}

it('lets others have their turn after a piece that took long (B08, B19)', async () => {
  expect((await turns(10, ['a', 'b', 'c'])).slice(0, 5)).toEqual(['a1', 'other', 'b1', 'other', 'c1']);
});

it('lets others have their turn within a chunk of which the pieces take long together, and loses nothing', async () => {
  const seen = await turns(4, ['a'.repeat(20_000), 'b']);
  expect(seen.filter((what) => what !== 'other')).toEqual(['a4096', 'a4096', 'a4096', 'a4096', 'a3616', 'b1']);
  expect(seen.slice(0, 4)).toEqual(['a4096', 'a4096', 'a4096', 'other']);
  expect(seen.slice(4, 7)).toEqual(['a4096', 'a3616', 'b1']);
});

it('hands over no empty piece after a chunk that divides evenly', async () => {
  expect((await turns(4, ['a'.repeat(8_192), 'b'])).filter((what) => what !== 'other')).toEqual(['a4096', 'a4096', 'b1']);
});

it('lets others have their turn after chunks that take long together', async () => {
  expect((await turns(4, ['a', 'b', 'c', 'd'])).slice(0, 5)).toEqual(['a1', 'b1', 'c1', 'other', 'd1']);
});

it('reads on where chunks take no time, or come one by one', async () => {
  expect((await turns(1, ['a', 'b', 'c'])).slice(0, 3)).toEqual(['a1', 'b1', 'c1']);
  expect((await turns(4, ['a', 'b', 'c', 'd'], 10)).slice(0, 4)).toEqual(['a1', 'b1', 'c1', 'd1']);
});
