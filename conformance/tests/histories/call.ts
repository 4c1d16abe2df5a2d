import type { JudgeHistories } from './builder.ts';

/** What the judges of `call` must refuse and must let pass. */
export const callHistories: readonly JudgeHistories[] = [];
