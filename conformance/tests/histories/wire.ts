import type { JudgeHistories } from './builder.ts';

/** What the judges of `wire` must refuse and must let pass. */
export const wireHistories: readonly JudgeHistories[] = [];
