/** What escapes to the process is a defect (B27): each run looks whether anything did, so that its input is known. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';

const escaped: unknown[] = [];
const note = (error: unknown): void => void escaped.push(error);

/** Begins to watch, for the tests of one file. */
export function watchHost(): void {
  beforeAll(() => {
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
  });
  afterAll(() => {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
  });
}

/** Turns of the event loop in which what was let go of may still fail. */
const TURNS = 5;

/** Fails when an error had nobody to go to. */
export async function expectQuietHost(): Promise<void> {
  for (let count = 0; count < TURNS; count += 1) await turn();
  const [first] = escaped.splice(0);
  if (first !== undefined) throw new Error('an error reached the process', { cause: first });
}
