/**
 * What `smoke` runs: one quick check from each area, which together find most of what is wrong with a new adapter.
 */
import { invariantById } from '../catalogue/index.ts';
import type { Check } from '../checks/check.ts';
import { checks } from '../checks/index.ts';

/**
 * The first scripted check of each area against scripted servers, no property and no real server; where there is one
 * that applies to every subject, that one.
 */
export function smokeChecks(): Check[] {
  const chosen = new Map<string, Check>();
  const quick = checks.filter((check) => check.kind === 'scripted' && (check.targets ?? ['fixture']).includes('fixture'));
  for (const check of [...quick.filter(appliesToAll), ...quick]) {
    const { area } = invariantById(check.invariant);
    if (!chosen.has(area)) chosen.set(area, check);
  }
  return [...chosen.values()];
}

function appliesToAll(check: Check): boolean {
  const { level, features = [] } = invariantById(check.invariant);
  return level === 'core' && features.length === 0 && (check.options ?? []).length === 0;
}
