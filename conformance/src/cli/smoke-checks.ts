/**
 * What `smoke` runs: a few checks from each area that take little time and find most of what is wrong with a new adapter.
 */
import type { Check } from '../checks/check.ts';
import { checks } from '../checks/index.ts';

/** The most checks of one invariant's area. */
const PER_AREA = 1;

/** Scripted checks against scripted servers, the first of each area: no property, no real server. */
export function smokeChecks(): Check[] {
  const taken = new Map<string, number>();
  return checks.filter((check) => {
    if (check.kind !== 'scripted' || !(check.targets ?? ['fixture']).includes('fixture')) return false;
    const area = check.invariant.slice(0, check.invariant.lastIndexOf('-'));
    const count = taken.get(area) ?? 0;
    taken.set(area, count + 1);
    return count < PER_AREA;
  });
}
