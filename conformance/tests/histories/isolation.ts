import type { JudgeHistories } from './builder.ts';

/** What the judges of `isolation` must refuse and must let pass. */
export const isolationHistories: readonly JudgeHistories[] = [];
