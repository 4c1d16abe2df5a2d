import type { JudgeHistories } from './builder.ts';
import { cancellationHistories } from './call/cancellation.ts';
import { endHistories } from './call/ends.ts';
import { failureHistories } from './call/failures.ts';
import { missingHistories } from './call/missing-structured.ts';
import { oddAnswerHistories } from './call/odd-answers.ts';
import { renewedHistories } from './call/renewed.ts';
import { schemaHistories } from './call/schemas.ts';
import { valueHistories } from './call/values.ts';

/** What the judges of `call` must refuse and must let pass. */
export const callHistories: readonly JudgeHistories[] = [
  ...valueHistories,
  ...endHistories,
  ...failureHistories,
  ...cancellationHistories,
  ...schemaHistories,
  ...renewedHistories,
  ...missingHistories,
  ...oddAnswerHistories,
];
