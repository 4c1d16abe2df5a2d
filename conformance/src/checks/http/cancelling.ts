/** Calls over HTTP that their caller gives up (CALL-038, CALL-039): the exercise and the judges of stdio, by another carrier. */
import { cancelOne, judgeNotice, judgeSettling } from '../call/cancellation.ts';
import { scripted, type Check } from '../check.ts';
import { openWeb } from './steps.ts';

const exercise = cancelOne((bench, name, scenario) => openWeb(bench, name, scenario));

/** Checks of cancellations over HTTP. */
export const cancellingChecks: readonly Check[] = [
  scripted({ id: 'CALL-038/one-notice', invariant: 'CALL-038', exercise, judge: judgeNotice }),
  scripted({ id: 'CALL-039/settles-alone', invariant: 'CALL-039', exercise, judge: judgeSettling }),
];
