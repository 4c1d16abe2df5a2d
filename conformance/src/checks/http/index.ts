/** Checks of what holds over Streamable HTTP alone. */
import type { Check } from '../check.ts';
import { expiryChecks } from './expiry.ts';
import { givingBackChecks } from './giving-back.ts';
import { listeningChecks } from './listening.ts';
import { lostAnswerChecks } from './lost-answers.ts';
import { noStreamChecks } from './no-stream.ts';
import { protocolHeaderChecks } from './protocol-headers.ts';
import { proxyChecks } from './proxy.ts';
import { httpRecoveryChecks } from './recovery.ts';
import { refusedStartChecks } from './refused-starts.ts';

/** Every check over HTTP. */
export const httpChecks: readonly Check[] = [...httpRecoveryChecks, ...expiryChecks, ...givingBackChecks, ...noStreamChecks, ...lostAnswerChecks, ...listeningChecks, ...proxyChecks, ...refusedStartChecks, ...protocolHeaderChecks];
