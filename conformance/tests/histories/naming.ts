import type { JudgeHistories } from './builder.ts';

/** What the judges of `naming` must refuse and must let pass. */
export const namingHistories: readonly JudgeHistories[] = [];
