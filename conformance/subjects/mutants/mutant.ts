/**
 * A mutant: a bridge with one small defect that the suite must notice (DESIGN.md §6, "The suite proves itself").
 */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import type { InvariantId } from 'mcp-bridge-conformance/catalogue';
import { neighboursOf } from './neighbours.ts';

/** One mutant. */
export interface Mutant {
  /** The invariant it breaks and what is wrong with it, `NAMING-003/truncates-silently`. */
  readonly id: `${InvariantId}/${string}`;
  /** The invariant that a check must find broken. */
  readonly kills: InvariantId;
  /** Invariants that may fail with it, because the same defect breaks them too. Nothing else may fail (`neighbours.ts`). */
  readonly neighbours: readonly InvariantId[];
  /** Where the defect sits: a stage of the reference, the adapter around it, or the wire between it and the server. */
  readonly kind: 'stage' | 'adapter' | 'wire';
  /** Makes the way to a subject with the defect in it. */
  create(): AdapterFactory;
}

/** Declares a mutant: the invariant that it breaks and, in one or a few words, what is wrong with it. */
export function mutant(kills: InvariantId, defect: string, rest: { readonly kind: Mutant['kind']; create(): AdapterFactory }): Mutant {
  const id = `${kills}/${defect}` as const;
  return { id, kills, neighbours: neighboursOf(id), kind: rest.kind, create: () => rest.create() };
}
