/** A result of very many tiny blocks (CALL-037). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { recovered } from '../connection/steps.ts';
import { callFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'crumbly';
const CRUMBS = 'crumbs';

/** Six hundred thousand blocks, above a million values: parsed in a fifth of a second, and more than anybody looks at. */
const RESULT_BYTES = 1_800_000;

async function exercise(bench: Bench): Promise<void> {
  const quick = bench.subject.options.includes('reconnect') ? { reconnect: { initialDelayMs: 20, maxDelayMs: 40 } } : undefined;
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, CRUMBS)], [onCall(CRUMBS, [{ oversize: { bytes: RESULT_BYTES, of: 'blocks' } }])]), quick);
  await ask(bench, SERVER, STEADY);
  // The bench's own bound, fifty times the parsing: work that grows faster than the number of blocks does not end within it.
  if ((await ask(bench, SERVER, CRUMBS)) !== undefined) {
    // It may be above a bound that costs the connection.
    if (bench.subject.features.includes('reconnect')) await recovered(bench, server);
    await ask(bench, SERVER, STEADY);
  }
  await bench.flush();
}

function judge(history: History): Judgement {
  const crumbs = callFor(history, CRUMBS, SERVER);
  if (crumbs === undefined) return uncalled(history, SERVER, CRUMBS) ?? inconclusive('no call was made');
  const after = callFor(history, STEADY, SERVER);
  const reply = replyOf(crumbs);
  return first(
    doubt([faultsFired(history, SERVER, `on-${CRUMBS}`).length > 0, 'the result, as the server sent it']),
    reply === undefined ? fail(`a result of very many tiny blocks does not settle`, placesOf(crumbs)) : undefined,
    reply !== undefined && readOf(reply).trim() === '' ? fail(`a result of very many tiny blocks ended as ${reply.outcome}, without a word`, placesOf(crumbs)) : undefined,
    after !== undefined && after.call.index > crumbs.call.index && echoed(after) ? undefined : fail('the call after a result of very many tiny blocks failed', placesOf(crumbs)),
  ) ?? pass(`a result of very many tiny blocks ended as ${reply?.outcome ?? 'nothing'}, and the next call works`);
}

/** CALL-037: a result of very many blocks takes a bounded time, and only that. */
export const crumbs = scripted({ id: 'CALL-037/tiny-blocks', invariant: 'CALL-037', exercise, judge });
