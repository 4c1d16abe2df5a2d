import type { JudgeHistories } from './builder.ts';

/** What the judges of `generation` must refuse and must let pass. */
export const generationHistories: readonly JudgeHistories[] = [];
