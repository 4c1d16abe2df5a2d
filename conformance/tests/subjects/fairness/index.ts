/** Every liberty. */
import { fidelityLiberties } from './fidelity.ts';
import { lifeLiberties } from './lives.ts';
import { nameLiberties } from './names.ts';
import { registryLiberties } from './registries.ts';
import { serverLiberties } from './servers.ts';
import { timingLiberties } from './timing.ts';
import { wordingLiberties } from './wording.ts';
import type { Liberty } from './vary.ts';

/** Bridges that differ from one that passes in a single liberty each. */
export const liberties: readonly Liberty[] = [
  ...registryLiberties, ...serverLiberties, ...nameLiberties, ...fidelityLiberties, ...timingLiberties, ...wordingLiberties, ...lifeLiberties,
];

export type { Liberty };
