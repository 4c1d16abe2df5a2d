/** Every liberty. */
import { fidelityLiberties } from './fidelity.ts';
import { imageLiberties } from './images.ts';
import { lifeLiberties } from './lives.ts';
import { nameLiberties } from './names.ts';
import { queueLiberties } from './queues.ts';
import { registryLiberties } from './registries.ts';
import { serverLiberties } from './servers.ts';
import { timingLiberties } from './timing.ts';
import { webLiberties } from './web.ts';
import { wordingLiberties } from './wording.ts';
import { liberty, type Liberty } from './vary.ts';

/** The bridge that all others vary. */
const unvaried = liberty('is the minimal bridge', ['naming', 'discovery', 'generation', 'wire', 'call', 'projection', 'connection', 'isolation', 'host'], {});

/** A bridge that passes, and bridges that differ from it in a single liberty each. */
export const liberties: readonly Liberty[] = [
  unvaried, ...registryLiberties, ...serverLiberties, ...nameLiberties, ...fidelityLiberties, ...timingLiberties, ...wordingLiberties, ...lifeLiberties,
  ...webLiberties, ...imageLiberties, ...queueLiberties,
];

export type { Liberty };
