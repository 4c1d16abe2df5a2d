/** Public names are legal (NAMING-001). */
import type { SubjectDescription } from '../../adapter/messages.ts';
import { nameMatcher } from '../../adapter/name-pattern.ts';
import type { History } from '../../history/schema.ts';
import { lastRegistry, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, property, type Check, type Judgement } from '../check.ts';
import { few } from '../identities.ts';
import { MAX_NAME_LENGTH } from './formula.ts';
import { nameListProperty, wasListed } from './name-lists.ts';

/** Whether a name is what the subject's scheme declares; the seed's scheme is S14. */
export function isLegalName(name: string, names: SubjectDescription['names']): boolean {
  if (names.scheme === 'mcp-qualified-64-v1') return name.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9_-]+$/.test(name);
  return name.length >= 1 && name.length <= names.maxLength && nameMatcher(names.pattern)(name);
}

/** The judge of NAMING-001. */
export function judgeLegality(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject === undefined) return inconclusive('the history names no subject');
  // Only the last: an earlier one of a run may still hold what the run before listed.
  const registry = lastRegistry(history);
  if (registry === undefined || registry.event.tools.length === 0) return inconclusive('no tool was offered');
  const { tools } = registry.event;
  const illegal = tools.filter(({ name }) => !isLegalName(name, subject.names));
  if (illegal.length > 0) {
    return fail(`names that the scheme does not allow are offered: ${few(illegal.map(({ name }) => JSON.stringify(name)))}`, [registry.index]);
  }
  return wasListed(history) ? pass(`all ${tools.length} names that are offered are legal`) : inconclusive('the list was never read to its end');
}

/** Checks of legality. */
export const legalityChecks: readonly Check[] = [
  property({ ...nameListProperty, id: 'NAMING-001/hostile-names', invariant: 'NAMING-001', judge: judgeLegality }),
];
