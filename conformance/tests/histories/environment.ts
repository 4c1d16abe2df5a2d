import type { JudgeHistories } from './builder.ts';

/** What the judges of `environment` must refuse and must let pass. */
export const environmentHistories: readonly JudgeHistories[] = [];
