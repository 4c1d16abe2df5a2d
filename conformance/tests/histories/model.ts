import type { JudgeHistories } from './builder.ts';

/** What the judges of `model` must refuse and must let pass. */
export const modelHistories: readonly JudgeHistories[] = [];
