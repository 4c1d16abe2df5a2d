import type { Check } from './check.ts';
import { anyOrderChecks, strayAnswers } from './wire/answers.ts';
import { framings, handshakeFraming } from './wire/framing.ts';
import { hopelessHandshakeChecks } from './wire/hopeless-handshakes.ts';
import { toolsOnly, undeservedCapabilities } from './wire/methods.ts';
import { noiseTold } from './wire/noise-told.ts';
import { noise } from './wire/noise.ts';
import { notificationChecks } from './wire/notifications.ts';
import { oversize } from './wire/oversize.ts';
import { plainTalkChecks } from './wire/plain-talk.ts';
import { revisionChecks } from './wire/revisions.ts';
import { serverRequests } from './wire/server-requests.ts';
import { taskSupportChecks } from './wire/task-support.ts';

/** The checks of `wire`. */
export const wireChecks: readonly Check[] = [
  toolsOnly, undeservedCapabilities, serverRequests, framings, handshakeFraming, noise, noiseTold, ...anyOrderChecks, strayAnswers, ...revisionChecks,
  oversize, ...plainTalkChecks, ...notificationChecks, ...taskSupportChecks, ...hopelessHandshakeChecks,
];
