import type { JudgeHistories } from './builder.ts';

/** What the judges of `connection` must refuse and must let pass. */
export const connectionHistories: readonly JudgeHistories[] = [];
