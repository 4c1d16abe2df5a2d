/**
 * The program of a grandchild: it does nothing and ends itself after its lifetime, whatever happens to its parents
 * (DESIGN.md §5). Arguments: lifetime in milliseconds, then optionally `ignore-term`.
 */
import { closeSync, writeSync } from 'node:fs';

/** The longest life, in milliseconds, whatever the arguments say. */
const MAX_LIFETIME_MS = 120_000;
/** The descriptor over which the parent hears that the signal handlers are in place. */
const READY_FD = 3;

if (process.argv[3] === 'ignore-term') process.on('SIGTERM', () => undefined);
const asked = Number(process.argv[2]);
setTimeout(() => process.exit(0), asked > 0 && asked <= MAX_LIFETIME_MS ? asked : MAX_LIFETIME_MS);
try {
  writeSync(READY_FD, '!');
  closeSync(READY_FD);
} catch {
  // Nobody waits to hear that it is ready, which is no reason to end.
}
