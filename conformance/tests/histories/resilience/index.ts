/** Histories of progress and states. */
import type { JudgeHistories } from '../builder.ts';
import { boundHistories } from './bounds.ts';
import { progressHistories } from './progress.ts';
import { stateHistories } from './states.ts';

/** What the judges of resilience must refuse and must let pass. */
export const resilienceHistories: readonly JudgeHistories[] = [...progressHistories, ...stateHistories, ...boundHistories];
