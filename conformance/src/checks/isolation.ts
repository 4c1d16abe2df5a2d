import type { Check } from './check.ts';
import { badCallsIsolated } from './isolation/bad-calls.ts';
import { badStartsIsolated } from './isolation/bad-starts.ts';
import { isAskedBeforeItIsKilled, leavesByItself } from './isolation/leaving.ts';
import { noHelperOutlivesItsServer, noProcessLeft } from './isolation/processes.ts';

/** The checks of `isolation`. */
export const isolationChecks: readonly Check[] = [badStartsIsolated, badCallsIsolated, noProcessLeft, noHelperOutlivesItsServer, leavesByItself, isAskedBeforeItIsKilled];
