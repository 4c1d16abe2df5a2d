/** A server that logs without end (WIRE-023). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, onSpawn, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne, shortConnect } from '../support/steps.ts';

const SERVER = 'talkative';
const LOUD = 'loud';
/** Far more than a pipe holds (64 KiB on Linux), on stderr and as log messages. */
const LINE = `${'a line that nobody asked for '.repeat(8)}\n`;
const LINES = 2_000;
const FLOOD = { stderr: { text: LINE, times: LINES } };

async function exercise(bench: Bench): Promise<void> {
  const messages = { notify: { method: 'notifications/message', params: { level: 'info', data: LINE }, frame: { times: LINES } } };
  await openOne(bench, SERVER, script(SERVER, [tool(SERVER, LOUD)], [onSpawn([FLOOD]), onCall(LOUD, [FLOOD, messages, ANSWER])]), shortConnect(bench));
  if ((await ask(bench, SERVER, LOUD, { boundMs: 5_000 })) !== undefined) await ask(bench, SERVER, STEADY);
  await bench.flush();
}

function judge(history: History): Judgement {
  if (faultsFired(history, SERVER, 'on-spawn').length === 0) {
    return inconclusive('not in the history: a server that wrote on stderr before the handshake');
  }
  const loud = callFor(history, LOUD, SERVER);
  if (loud === undefined) return uncalled(history, SERVER, LOUD) ?? fail('a server that writes on stderr before the handshake is not used');
  return first(
    doubt([loud.requests.length > 0, 'the call, as the server received it']),
    echoed(loud) ? undefined : fail(`a server that logged ${2 * LINES} lines in a call ${loud.answer === undefined ? 'was kept from answering' : 'had its answer lost'}`, placesOf(loud)),
    echoed(callFor(history, STEADY, SERVER)) ? undefined : fail('a call after the flood failed', placesOf(loud)),
  ) ?? pass(`${3 * LINES} lines kept nobody from answering`);
}

/** WIRE-023: logging blocks neither side. */
export const flood = scripted({ id: 'WIRE-023/lines-without-end', invariant: 'WIRE-023', exercise, judge });
