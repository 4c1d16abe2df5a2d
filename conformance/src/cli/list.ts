/**
 * `list`: every check with its invariant, for a person or as JSON.
 */
import { invariantById } from '../catalogue/index.ts';
import { checks } from '../checks/index.ts';
import type { Output } from './progress.ts';

/** Prints the checks. */
export function list(json: boolean, out: Output): void {
  const rows = checks.map((check) => {
    const { statement, level, strength, sources, features = [] } = invariantById(check.invariant);
    return { check: check.id, invariant: check.invariant, level, strength, statement, sources, features, targets: check.targets ?? ['fixture'] };
  });
  if (json) {
    out.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return;
  }
  for (const row of rows) {
    out.write(`${row.check}  [${row.level}, ${row.strength}; ${[...row.sources.requirements, ...(row.sources.reports ?? [])].join(', ')}]\n    ${row.statement}\n`);
  }
}
