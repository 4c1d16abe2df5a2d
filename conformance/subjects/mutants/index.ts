/** Every mutant, area by area. */
import { callMutants } from './call/index.ts';
import { configMutants } from './config/index.ts';
import { connectionMutants } from './connection/index.ts';
import { discoveryMutants } from './discovery/index.ts';
import { environmentMutants } from './environment/index.ts';
import { generationMutants } from './generation/index.ts';
import { hostMutants } from './host/index.ts';
import { httpMutants } from './http/index.ts';
import { isolationMutants } from './isolation/index.ts';
import { modelMutants } from './model/index.ts';
import { namingMutants } from './naming/index.ts';
import { projectionMutants } from './projection/index.ts';
import { resilienceMutants } from './resilience/index.ts';
import { wireMutants } from './wire/index.ts';
import type { Mutant } from './mutant.ts';

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  ...configMutants,
  ...namingMutants,
  ...discoveryMutants,
  ...generationMutants,
  ...modelMutants,
  ...wireMutants,
  ...callMutants,
  ...projectionMutants,
  ...connectionMutants,
  ...httpMutants,
  ...resilienceMutants,
  ...environmentMutants,
  ...isolationMutants,
  ...hostMutants,
];

const byId: ReadonlyMap<string, Mutant> = new Map(mutants.map((one) => [one.id, one]));

/**
 * The mutant of this id.
 * @throws Error when there is none.
 */
export function mutantById(id: string): Mutant {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`there is no mutant ${id}`);
  return found;
}

export type { Mutant };
