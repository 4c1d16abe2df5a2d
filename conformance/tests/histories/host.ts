import type { JudgeHistories } from './builder.ts';

/** What the judges of `host` must refuse and must let pass. */
export const hostHistories: readonly JudgeHistories[] = [];
