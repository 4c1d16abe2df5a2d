import type { JudgeHistories } from './builder.ts';

/** What the judges of `discovery` must refuse and must let pass. */
export const discoveryHistories: readonly JudgeHistories[] = [];
