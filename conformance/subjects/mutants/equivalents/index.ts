/** Every equivalent, by where it sits. */
import { adapterEquivalents } from './adapters.ts';
import type { Equivalent } from './equivalent.ts';
import { stageEquivalents } from './stages.ts';
import { wireEquivalents } from './wires.ts';

/** Every equivalent. */
export const equivalents: readonly Equivalent[] = [...stageEquivalents, ...adapterEquivalents, ...wireEquivalents];

export type { Equivalent };
