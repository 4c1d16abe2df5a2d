/** Redirects to another origin, which is trusted with nothing that was configured for this one (CONFIG-016). */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import type { At } from '../../history/views.ts';
import { fail, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, uncalled } from '../support/facts.ts';
import { canary, STEADY } from '../support/scripts.ts';
import { requestsTo, visitTwoOrigins } from '../support/two-origins.ts';

const SERVER = 'moving';
/** Another origin, to which calls and those who want an event stream are sent. */
const ELSEWHERE = 'somewhere-else';

/** Headers of a user's own: the one that a platform's client knows for a secret, and one that it does not. */
const OWN: Readonly<Record<string, string>> = { authorization: `Bearer ${canary('Redirected')}`, 'x-api-key': canary('Key') };

const exercise = (bench: Bench): Promise<void> => visitTwoOrigins(bench, { server: SERVER, elsewhere: ELSEWHERE, headers: OWN, redirectsCalls: true });

/** The configured header that a request carries, wherever it stands in it: also in its address or its body. */
function carried({ event }: At<FrameRecord>): string | undefined {
  const held = [...Object.values(event.http?.requestHeaders ?? {}), event.raw];
  return Object.entries(OWN).find(([, value]) => held.some((text) => text.includes(value.replace('Bearer ', ''))))?.[0];
}

function judge(history: History): Judgement {
  const strayed = requestsTo(history, ELSEWHERE).find((request) => carried(request) !== undefined);
  if (strayed !== undefined) return fail(`the configured header ${carried(strayed) ?? ''} went to another origin`, [strayed.index]);
  const own = requestsTo(history, SERVER);
  // Who names no tool cannot be redirected in a call; an event stream may have been asked for all the same.
  const redirected = own.filter(({ event }) => event.http?.method === 'GET' || isCall(event));
  return doubt([own.some((request) => carried(request) !== undefined), 'a configured header at its own origin']) ??
    (redirected.length === 0 ? uncalled(history, SERVER, STEADY) : undefined) ?? doubt([redirected.length > 0, 'a request that was redirected']) ??
    pass(`${redirected.length} requests were redirected to another origin, which saw no configured header`);
}

const isCall = ({ message }: FrameRecord): boolean => typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call';

/** Checks of redirects. */
export const redirectChecks: readonly Check[] = [scripted({ id: 'CONFIG-016/calls-and-streams', invariant: 'CONFIG-016', exercise, judge })];
