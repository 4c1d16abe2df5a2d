import type { JudgeHistories } from './builder.ts';

/** What the judges of `config` must refuse and must let pass. */
export const configHistories: readonly JudgeHistories[] = [];
