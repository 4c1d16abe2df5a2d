import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readInTurns } from '../../src/transport/read-in-turns.ts';

/** What is read of three chunks, and when another job had its turn, with so many milliseconds of work on each chunk. */
async function turns(workMs: number): Promise<readonly string[]> {
  const [pipe, seen] = [new PassThrough(), new Array<string>()];
  let timeMs = 0;
  readInTurns(
    pipe,
    (chunk) => {
      timeMs += workMs;
      seen.push(chunk.toString());
      setImmediate(() => seen.push('other'));
    },
    () => timeMs,
  );
  for (const text of ['a', 'b', 'c']) pipe.write(text);
  const ended = new Promise((resolve) => pipe.on('end', resolve));
  pipe.end();
  await ended;
  return seen;
}

it('lets others have their turn after a chunk that took long (B08, B19)', async () => {
  expect((await turns(10)).slice(0, 3)).toEqual(['a', 'other', 'b']);
});

it('reads on where chunks take no time, and loses none', async () => {
  expect((await turns(1)).slice(0, 3)).toEqual(['a', 'b', 'c']);
});
