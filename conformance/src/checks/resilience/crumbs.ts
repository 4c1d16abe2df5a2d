/** A result of very many tiny blocks (CALL-037). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'crumbly';
const CRUMBS = 'crumbs';

/**
 * A million blocks. They are parsed in a third of a second; a few hundred bytes of work for each, or any that grows with
 * their number, take longer than the bound.
 */
const RESULT_BYTES = 3_000_000;

/** How long a call may take whose tool answers at once, milliseconds: fifteen times the parsing. */
const BOUND_MS = 5_000;

async function exercise(bench: Bench): Promise<void> {
  await openOne(bench, SERVER, script(SERVER, [tool(SERVER, CRUMBS)], [onCall(CRUMBS, [{ oversize: { bytes: RESULT_BYTES, of: 'blocks' } }])]));
  await ask(bench, SERVER, STEADY);
  await ask(bench, SERVER, CRUMBS, { boundMs: BOUND_MS });
  await ask(bench, SERVER, STEADY, { boundMs: BOUND_MS });
  await bench.flush();
}

function judge(history: History): Judgement {
  const crumbs = callFor(history, CRUMBS, SERVER);
  if (crumbs === undefined) return uncalled(history, SERVER, CRUMBS) ?? inconclusive('no call was made');
  const after = callFor(history, STEADY, SERVER);
  const reply = replyOf(crumbs);
  return first(
    doubt([faultsFired(history, SERVER, `on-${CRUMBS}`).length > 0, 'the result, as the server sent it']),
    reply === undefined ? fail(`a result of a million tiny blocks is not settled within ${BOUND_MS} ms`, placesOf(crumbs)) : undefined,
    reply !== undefined && readOf(reply).trim() === '' ? fail(`a result of a million tiny blocks ended as ${reply.outcome}, without a word`, placesOf(crumbs)) : undefined,
    after !== undefined && after.call.index > crumbs.call.index && echoed(after) ? undefined : fail('the call after a result of a million tiny blocks failed', placesOf(crumbs)),
  ) ?? pass(`a result of a million tiny blocks ended as ${reply?.outcome ?? 'nothing'}, and the next call works`);
}

/** CALL-037: a result of very many blocks takes a bounded time, and only that. */
export const crumbs = scripted({ id: 'CALL-037/tiny-blocks', invariant: 'CALL-037', exercise, judge });
