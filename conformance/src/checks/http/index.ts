/** Checks of what holds over Streamable HTTP alone. */
import type { Check } from '../check.ts';
import { askedBackChecks } from './asked-back.ts';
import { briefStreamChecks } from './brief-streams.ts';
import { cancellingChecks } from './cancelling.ts';
import { expiryChecks } from './expiry.ts';
import { formChecks } from './forms.ts';
import { webFramingChecks } from './framing.ts';
import { givingBackChecks } from './giving-back.ts';
import { idleExpiryChecks } from './idle-expiry.ts';
import { listeningChecks } from './listening.ts';
import { lostAnswerChecks } from './lost-answers.ts';
import { noAnswerChecks } from './no-answer.ts';
import { noStreamChecks } from './no-stream.ts';
import { webOutageChecks } from './outage.ts';
import { webOversizeChecks } from './oversize.ts';
import { protocolHeaderChecks } from './protocol-headers.ts';
import { proxyChecks } from './proxy.ts';
import { httpRecoveryChecks } from './recovery.ts';
import { redirectChecks } from './redirects.ts';
import { refusedStartChecks } from './refused-starts.ts';
import { removalChecks } from './removal.ts';
import { resumedAnswerChecks } from './resumed-answers.ts';
import { resumingChecks } from './resuming.ts';
import { silenceChecks } from './silence.ts';

/** Every check over HTTP. */
export const httpChecks: readonly Check[] = [
  ...httpRecoveryChecks, ...expiryChecks, ...givingBackChecks, ...noStreamChecks, ...lostAnswerChecks, ...listeningChecks, ...proxyChecks, ...refusedStartChecks, ...protocolHeaderChecks,
  ...cancellingChecks, ...formChecks, ...askedBackChecks, ...resumingChecks, ...resumedAnswerChecks, ...redirectChecks,
  ...removalChecks,
  ...webFramingChecks,
  ...briefStreamChecks,
  ...noAnswerChecks,
  ...silenceChecks,
  ...idleExpiryChecks,
  ...webOutageChecks,
  ...webOversizeChecks,
];
