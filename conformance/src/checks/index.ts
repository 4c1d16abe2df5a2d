/** Every check of the suite, area by area. An area's checks live in files of its own and are listed here once. */
import type { Check } from './check.ts';
import { callChecks } from './call.ts';
import { configChecks } from './config.ts';
import { connectionChecks } from './connection.ts';
import { discoveryChecks } from './discovery.ts';
import { environmentChecks } from './environment.ts';
import { generationChecks } from './generation.ts';
import { hostChecks } from './host.ts';
import { httpChecks } from './http/index.ts';
import { isolationChecks } from './isolation.ts';
import { modelChecks } from './model/index.ts';
import { namingChecks } from './naming.ts';
import { progressChecks } from './progress/index.ts';
import { projectionChecks } from './projection.ts';
import { realChecks } from './real/index.ts';
import { resilienceChecks } from './resilience/index.ts';
import { stateChecks } from './state/index.ts';
import { wireChecks } from './wire.ts';

/** Every check, in the order they are run. */
export const checks: readonly Check[] = [
  ...configChecks,
  ...namingChecks,
  ...discoveryChecks,
  ...generationChecks,
  ...modelChecks,
  ...wireChecks,
  ...callChecks,
  ...projectionChecks,
  ...connectionChecks,
  ...httpChecks,
  ...progressChecks,
  ...stateChecks,
  ...resilienceChecks,
  ...environmentChecks,
  ...isolationChecks,
  ...hostChecks,
  ...realChecks,
];

const byId: ReadonlyMap<string, Check> = new Map(checks.map((check) => [check.id, check]));

/**
 * The check of this id.
 * @throws Error when there is none, so that a typo cannot drop coverage.
 */
export function checkById(id: string): Check {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`the suite has no check ${id}; list the known ones with: mcp-bridge-conformance list`);
  return found;
}
