/**
 * The catalogue: every invariant the suite knows, as data (DESIGN.md §6). An area's invariants live in a file of its own
 * and are listed here once.
 */
import { callInvariants } from './call.ts';
import { configInvariants } from './config.ts';
import { connectionInvariants } from './connection.ts';
import { discoveryInvariants } from './discovery.ts';
import { environmentInvariants } from './environment.ts';
import { generationInvariants } from './generation.ts';
import { hostInvariants } from './host.ts';
import { httpInvariants } from './http.ts';
import { isolationInvariants } from './isolation.ts';
import { modelInvariants } from './model.ts';
import { namingInvariants } from './naming.ts';
import { projectionInvariants } from './projection.ts';
import { resilienceInvariants } from './resilience.ts';
import { wireInvariants } from './wire.ts';
import { exclusions } from './exclusions.ts';
import type { Exclusion, Invariant, InvariantId } from './invariant.ts';

/** Every invariant, area by area. */
export const invariants: readonly Invariant[] = [
  ...configInvariants,
  ...namingInvariants,
  ...discoveryInvariants,
  ...generationInvariants,
  ...modelInvariants,
  ...wireInvariants,
  ...callInvariants,
  ...projectionInvariants,
  ...connectionInvariants,
  ...httpInvariants,
  ...resilienceInvariants,
  ...environmentInvariants,
  ...isolationInvariants,
  ...hostInvariants,
];

const byId: ReadonlyMap<string, Invariant> = new Map(invariants.map((invariant) => [invariant.id, invariant]));

/**
 * The invariant of this id.
 * @throws Error when there is none, so that a typo cannot drop coverage.
 */
export function invariantById(id: string): Invariant {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`the catalogue has no invariant ${id}; list the known ones with: mcp-bridge-conformance list`);
  return found;
}

export { exclusions };
export type { Exclusion, Invariant, InvariantId };
