/**
 * Whether a check applies to a subject. A feature gates a demand and never excuses one: what is not declared is not
 * asked for, and the report says so (DESIGN.md §6).
 */
import type { Level, SubjectDescription } from '../adapter/messages.ts';
import type { Invariant } from '../catalogue/invariant.ts';
import type { Check, Target } from '../checks/check.ts';

/** Where a check is to be run and by which levels. */
export interface Plan {
  readonly invariant: Invariant;
  readonly check: Check;
  readonly target: Target;
}

/** Transports that the targets themselves need. */
const TARGET_TRANSPORT: Readonly<Record<Target, 'stdio' | 'streamable-http'>> = {
  fixture: 'stdio',
  'server-everything': 'stdio',
  'server-filesystem': 'stdio',
  'sdk-http': 'streamable-http',
};

/** Levels by which a subject is judged: `core` always, others when it declares them and, if any are named, these are among them. */
export function judgedLevels(subject: SubjectDescription, asked: readonly Level[] | undefined): Level[] {
  const declared = new Set<Level>(['core', ...subject.levels]);
  const wanted = new Set<Level>(['core', ...(asked ?? declared)]);
  return (['core', 'seed', 'resilience'] as const).filter((level) => declared.has(level) && wanted.has(level));
}

/** Why a check does not apply; `undefined` when it does. */
export function whyNotApplicable(
  plan: Pick<Plan, 'invariant' | 'target'> & { readonly check: Pick<Check, 'options' | 'transports'> }, subject: SubjectDescription, levels: readonly Level[],
): string | undefined {
  const { invariant, check, target } = plan;
  if (!levels.includes(invariant.level)) {
    return subject.levels.includes(invariant.level) || invariant.level === 'core'
      ? `level ${invariant.level} was not asked for`
      : `the subject does not declare level ${invariant.level}`;
  }
  const feature = invariant.features?.find((needed) => !subject.features.includes(needed));
  if (feature !== undefined) return `the subject does not declare the feature ${feature}`;
  // A scripted server is reached by whatever the check or its invariant is about; a real one by what it speaks.
  const transports = target === 'fixture' ? (check.transports ?? invariant.transports ?? [TARGET_TRANSPORT.fixture]) : [TARGET_TRANSPORT[target]];
  const transport = transports.find((needed) => !subject.transports.includes(needed));
  if (transport !== undefined) return `the subject does not declare the transport ${transport}`;
  const option = check.options?.find((needed) => !subject.options.includes(needed));
  if (option !== undefined) return `the subject does not honour the option ${option}`;
  return undefined;
}
