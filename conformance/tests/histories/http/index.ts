/** Histories over Streamable HTTP. */
import type { JudgeHistories } from '../builder.ts';
import { askingHistories } from './asking.ts';
import { byteHistories } from './bytes.ts';
import { webRemovalHistories } from './removal.ts';
import { briefHistories } from './brief.ts';
import { idleExpiryHistories } from './idle-expiry.ts';
import { silenceHistories } from './silence.ts';
import { webOutageHistories } from './outage.ts';
import { startHistories } from './starts.ts';
import { noAnswerHistories } from './no-answer.ts';
import { webOversizeHistories } from './oversize.ts';
import { proxyHistories } from './proxy.ts';
import { resumedHistories } from './resumed.ts';
import { webRecoveryHistories } from './recovery.ts';
import { streamHistories } from './streams.ts';

/** What the judges of HTTP must refuse and must let pass. */
export const httpHistories: readonly JudgeHistories[] = [
  ...webRecoveryHistories, ...streamHistories, ...proxyHistories, ...startHistories, ...askingHistories, ...resumedHistories,
  ...webRemovalHistories,
  ...byteHistories,
  ...briefHistories,
  ...noAnswerHistories,
  ...silenceHistories,
  ...idleExpiryHistories,
  ...webOutageHistories,
  ...webOversizeHistories,
];
