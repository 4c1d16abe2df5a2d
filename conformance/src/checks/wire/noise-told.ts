/** Noise on stdout, as a person who looks for its cause finds it (WIRE-057). */
import type { History } from '../../history/schema.ts';
import { eventsOf, faultsFired, logLines } from '../../history/views.ts';
import { fail, pass, scripted, type Judgement } from '../check.ts';
import { allReadable, callFor, doubt, echoed } from '../support/facts.ts';
import { ANSWER, onCall, onSpawn, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne, shortConnect } from '../support/steps.ts';

/** Two servers alike but for the noise of one. */
const QUIET = 'quiet';
const NOISY = 'talker';
const TOOL = 'talk';
/** Words of the noise that nobody says otherwise. */
const WORDS = ['banner-of-a-launcher', 'chatter-of-a-call'] as const;
const [BANNER, CHATTER] = WORDS;

/** How many lines of the log name this server or none, from one opening to the next. */
function linesOf(history: History, server: string): number {
  const opened = eventsOf(history, 'request').filter(({ event }) => event.step === 'open');
  const at = opened.findIndex(({ event }) => event.servers.some(({ name }) => name === server));
  const [from, to] = [opened[at]?.index ?? Infinity, opened[at + 1]?.index ?? Infinity];
  return logLines(history).filter(({ index, event }) => index > from && index < to && (event.server === undefined || event.server === server)).length;
}

function judge(history: History): Judgement {
  const doubted = doubt(
    [faultsFired(history, NOISY, 'on-spawn').length > 0, 'noise before the handshake'], [faultsFired(history, NOISY, `on-${TOOL}`).length > 0, 'noise in a call'],
    [echoed(callFor(history, TOOL, QUIET)), 'a healthy call of a quiet server'], [echoed(callFor(history, TOOL, NOISY)), 'a healthy call of a noisy one'],
  );
  if (doubted !== undefined) return doubted;
  const said = allReadable(history).find(({ text }) => WORDS.some((word) => text.includes(word)));
  if (said !== undefined) return pass('words of the noise can be read', [said.index]);
  // Who says it in other words, or gives a count, says more about this server than about its quiet twin.
  const [quiet, noisy] = [linesOf(history, QUIET), linesOf(history, NOISY)];
  return noisy > quiet
    ? pass(`a noisy server has ${noisy} lines in the log, where a quiet one has ${quiet}`)
    : fail(`nothing says that a server wrote to stdout what is no message: its ${noisy} lines in the log are no more than the ${quiet} of a quiet one, and none has a word of it`);
}

/** WIRE-057: skipped, and said. */
export const noiseTold = scripted({
  id: 'WIRE-057/beside-a-quiet-one',
  invariant: 'WIRE-057',
  async exercise(bench) {
    for (const server of [QUIET, NOISY]) {
      const rules = server === QUIET ? [] : [onSpawn([{ raw: { text: `${BANNER} is ready\n` } }]), onCall(TOOL, [{ raw: { text: `${CHATTER}\n` } }, ANSWER])];
      await openOne(bench, server, script(server, [tool(server, TOOL)], rules), shortConnect(bench));
      await ask(bench, server, STEADY);
      await ask(bench, server, TOOL);
      await bench.close();
    }
  },
  judge,
});
