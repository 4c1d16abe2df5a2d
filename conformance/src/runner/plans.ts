/**
 * Which runs a certification consists of.
 */
import type { Area } from 'mcp-fixture-server/case';
import { invariantById } from '../catalogue/index.ts';
import type { Check, Target } from '../checks/check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { Plan } from './applicability.ts';

/** Narrows what is run. Everything left out means all. */
export interface Selection {
  readonly areas?: readonly Area[];
  /** Words that name areas (`naming`), invariants (`NAMING-003`) or checks (`NAMING-003/hostile-names`). */
  readonly only?: readonly string[];
  readonly targets?: readonly Target[];
}

/** Whether a check is meant by one of the words; case does not matter. */
export function isMeant(check: Check, only: readonly string[]): boolean {
  const id = check.id.toLowerCase();
  const invariant = check.invariant.toLowerCase();
  const { area } = invariantById(check.invariant);
  return only.some((word) => [id, invariant, area].includes(word.toLowerCase()));
}

/** The runs of a selection, in the order of the checks. */
export function plansOf(selection: Selection, checks: readonly Check[] = allChecks): Plan[] {
  const { areas, only, targets } = selection;
  return checks.flatMap((check) => {
    const invariant = invariantById(check.invariant);
    if (areas !== undefined && !areas.includes(invariant.area)) return [];
    if (only !== undefined && only.length > 0 && !isMeant(check, only)) return [];
    return (check.targets ?? ['fixture'])
      .filter((target) => targets === undefined || targets.includes(target))
      .map((target) => ({ invariant, check, target }));
  });
}

/** Every word that `only` knows: areas, invariants, checks. */
export function selectionWords(checks: readonly Check[] = allChecks): string[] {
  return [...new Set(checks.flatMap((check) => [invariantById(check.invariant).area, check.invariant, check.id]))];
}

/** Words of `only` that mean nothing in this suite. */
export function unknownWords(only: readonly string[], checks: readonly Check[] = allChecks): string[] {
  return only.filter((word) => !checks.some((check) => isMeant(check, [word])));
}
