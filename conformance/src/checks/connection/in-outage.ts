/** Calls while there is no connection (CONNECTION-013). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { holds, lastRegistry, registrySnapshots } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, replyOf } from '../support/facts.ts';
import { ANSWER, script, STEADY, tool } from '../support/scripts.ts';
import { ask, heldAt, openOne } from '../support/steps.ts';
import { livesOf } from './lives.ts';
import { publicNamesOf, servedBy } from './outage-facts.ts';
import { inLife, lose, recovered } from './steps.ts';

const SERVER = 'away';
const HOLD = 'coming-back';

/** The attempt is held at this request, so that the outage lasts until it is let go. */
async function exercise(bench: Bench, method: 'initialize' | 'tools/list'): Promise<void> {
  const rules = [inLife(2, method, [{ hold: HOLD }, ANSWER])];
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, 'other')], rules), { reconnect: { initialDelayMs: 20, maxDelayMs: 40 } });
  await ask(bench, SERVER, STEADY);
  await bench.look();
  await lose(bench, server);
  await bench.wire(server, 'the attempt is under way', heldAt(HOLD));
  await bench.look();
  await ask(bench, SERVER, STEADY, { boundMs: 2_000 });
  await ask(bench, SERVER, STEADY, { boundMs: 2_000 });
  await bench.look();
  await server.fixture.release(HOLD);
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function judge(history: History): Judgement {
  const lives = livesOf(history, SERVER);
  const held = holds(history, HOLD, 'held')[0];
  const released = holds(history, HOLD, 'released')[0];
  const [lost] = lives;
  const calls = callsFor(history, STEADY, SERVER);
  const during = calls.filter(({ call }) => held !== undefined && call.index > held.index && (released === undefined || call.index < released.index));
  const late = calls.findLast(({ call }) => released !== undefined && call.index > released.index);
  const doubted = doubt([lost?.end !== undefined, 'the end of the first process'], [held !== undefined, 'an attempt under way'], [echoed(calls[0]), 'a healthy call before the loss']);
  if (doubted !== undefined || lost?.end === undefined || held === undefined) return doubted ?? inconclusive('nothing was lost');
  const names = publicNamesOf(history, SERVER);
  const good = lastRegistry(history, lost.end.index)?.event.tools.filter(({ name }) => names.has(name)) ?? [];
  const spoilt = registrySnapshots(history).find(({ index, event }) => index > (lost.end?.index ?? 0) && index < (released?.index ?? held.index) &&
    JSON.stringify(event.tools.filter(({ name }) => names.has(name))) !== JSON.stringify(good));
  if (spoilt !== undefined) return fail('the last good generation did not stay registered in the outage', [spoilt.index]);
  const [silent, queued, odd] = [
    during.find(({ outcome }) => outcome === undefined || (released !== undefined && outcome.index > released.index)),
    during.find(({ requests }) => requests.length > 0),
    during.find((call) => replyOf(call)?.outcome === 'ok' || replyOf(call)?.executed !== 'no'),
  ];
  return first(
    doubt([during.length > 0, 'a call in the outage'], [good.length > 0, 'a look at the registry before the loss']),
    silent === undefined ? undefined : fail('a call in the outage did not fail at once', placesOf(silent)),
    queued === undefined ? undefined : fail('a call in the outage was kept and sent later', placesOf(queued)),
    odd === undefined ? undefined : fail(`a call in the outage, which was never sent, ended as ${replyOf(odd)?.outcome ?? ''}, executed: ${replyOf(odd)?.executed ?? ''}`, placesOf(odd)),
    doubt([released !== undefined && late !== undefined, 'a call after the recovery']),
    late !== undefined && echoed(late) && servedBy(late, lives) === lives[1] ? undefined : fail('after the recovery the tool cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass(`${during.length} calls in the outage failed at once and were never sent; the tools stayed`);
}

const base = { invariant: 'CONNECTION-013', options: ['reconnect'] } as const;

/** Checks of calls in an outage. */
export const inOutageChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-013/attempt-under-way', exercise: (bench) => exercise(bench, 'initialize'), judge }),
  // Its handshake is over, and nobody knows yet what it offers (S54).
  scripted({ ...base, id: 'CONNECTION-013/listing-under-way', exercise: (bench) => exercise(bench, 'tools/list'), judge }),
];
