import type { Check } from './check.ts';
import { argumentsArrive, emptyArguments, largeArguments } from './call/arguments.ts';
import { cancelledOnce, cancelledSettles } from './call/cancellation.ts';
import { atMostOnce, everyCallSettles, outcomeUnknown } from './call/endings.ts';
import { dialects } from './call/dialects.ts';
import { postedArguments, typedArguments } from './call/given-arguments.ts';
import { isErrorBoolean, isErrorFails, rpcErrors } from './call/failures.ts';
import { missingDelivered, missingFails } from './call/missing-structured.ts';
import { oddAnswerChecks } from './call/odd-answers.ts';
import { ownError } from './call/own-error.ts';
import { contradiction, oddSchemaDelivered, oddSchemaIsolated } from './call/output-schema.ts';
import { renewedExecution, renewedSchema } from './call/renewed.ts';
import { taskRequired } from './call/task-required.ts';
import { timeoutChecks } from './call/timeout.ts';
import { executionTold } from './call/truthful.ts';
import { canonicalValue } from './call/value.ts';

/** The checks of `call`. */
export const callChecks: readonly Check[] = [
  argumentsArrive, largeArguments, typedArguments, postedArguments, emptyArguments, atMostOnce, everyCallSettles, outcomeUnknown, executionTold, isErrorFails, isErrorBoolean, rpcErrors,
  canonicalValue, cancelledOnce, cancelledSettles, ...timeoutChecks, contradiction, oddSchemaIsolated, oddSchemaDelivered, taskRequired,
  missingDelivered, missingFails, dialects, renewedSchema, renewedExecution, ownError, ...oddAnswerChecks,
];
