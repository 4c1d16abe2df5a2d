import type { Judgement } from '../../checks/check.ts';
import type { History } from '../../history/schema.ts';

/** Judges the history of any case. Pure. */
export type CaseJudge = (history: History) => Judgement;
