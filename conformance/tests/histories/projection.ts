import type { JudgeHistories } from './builder.ts';

/** What the judges of `projection` must refuse and must let pass. */
export const projectionHistories: readonly JudgeHistories[] = [];
