/**
 * The clock of the suite: CLOCK_MONOTONIC, which every process of a machine shares, so that what the suite sees and what
 * a fixture traced fall into one order (DESIGN.md §5).
 */

/** Milliseconds now, with a fraction; the zero is arbitrary and the same in all processes. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
