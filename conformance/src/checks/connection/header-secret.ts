/** A configured header that a server repeats while it refuses (CONNECTION-003). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, settledSteps, wireRecords } from '../../history/views.ts';
import { fail, pass, scripted, type Check, type Judgement } from '../check.ts';
import { allReadable, doubt } from '../support/facts.ts';
import { httpOrigin } from '../support/http-origin.ts';
import { canary } from '../support/scripts.ts';
import { tellState } from '../support/steps.ts';

const SERVER = 'repeater';
/** No word in it says that its value is a secret. */
const HEADER = 'x-auth';
const SECRET = canary('Header');

async function exercise(bench: Bench): Promise<void> {
  const origin = await httpOrigin(bench, { name: SERVER, refusesWith: HEADER });
  try {
    await bench.open([{ name: SERVER, transport: 'streamable-http', url: origin.url, headers: { [HEADER]: SECRET } }]);
    await tellState(bench, 'the start was refused');
    await bench.close();
  } finally {
    await bench.close().catch(() => undefined);
    await origin.close();
  }
}

function judge(history: History): Judgement {
  const leak = allReadable(history).find(({ text }) => text.includes(SECRET.slice(0, 64)));
  if (leak !== undefined) return fail('a configured header stands in what a person reads', [leak.index]);
  const sent = wireRecords(history, 'frame', SERVER).some(({ event }) => event.http?.requestHeaders?.[HEADER] === SECRET);
  return doubt(
    [sent, 'a request with the header, which the server repeats'], [settledSteps(history, 'open').length > 0, 'an opening that settled'],
    [eventsOf(history, 'state').length > 0, 'a look at the state'],
  ) ?? pass('the header that the server repeated occurs nowhere');
}

/** Checks of secrets in headers. */
export const headerSecretChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-003/repeated-header', invariant: 'CONNECTION-003', transports: ['streamable-http'], exercise, judge }),
];
