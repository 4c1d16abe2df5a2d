/**
 * Judges that read any history, by invariant: what they say needs no exercise of a check's own. An invariant without one is
 * judged on a case by what the case says has to be so.
 */
import type { CaseJudge } from './case-judge.ts';
import { callJudges } from './calls.ts';
import { listJudges } from './lists.ts';
import { modelJudges } from './model.ts';
import { namingJudges } from './naming.ts';
import { processJudges } from './processes.ts';
import { projectionJudges } from './projection.ts';

/** By invariant. */
export const caseJudges: Readonly<Record<string, CaseJudge>> = { ...namingJudges, ...listJudges, ...callJudges, ...projectionJudges, ...processJudges, ...modelJudges };

export type { CaseJudge };
