/** A text that is longer than what fits one read of a pipe, or one screen. */
import type { History } from '../../history/schema.ts';
import { textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'writer';
const REPORT = 'report';
/** Lines of the text, each told by its number: 160 KB, a long log or file, and far below any limit of a message (B01). */
const LINES = 4_000;
/** The lines of the text. */
export const reportLines = Array.from({ length: LINES }, (_, at) => `line ${at + 1} of a report that goes on`);

const WHOLE = reportLines.join('\n');

function judgeLong(history: History): Judgement {
  const call = callFor(history, REPORT);
  if (call === undefined) return uncalled(history, SERVER, REPORT) ?? inconclusive('no call was made');
  if (call.answer === undefined) return inconclusive('the server did not answer');
  const seen = textOf(replyOf(call)?.view ?? []);
  let from = 0;
  for (const [at, line] of reportLines.entries()) {
    const found = seen.indexOf(line, from);
    if (found === -1) {
      // A bridge may cut what is very long (PROJECTION-009), when it says so.
      return from > 0 && !WHOLE.includes(seen.trim())
        ? pass(`the text is cut at line ${at + 1}, and what is shown says more than the text does`)
        : fail(`a text of ${reportLines.length} lines is not shown whole, and nothing says so: line ${at + 1} is not there, or not in its place`, placesOf(call));
    }
    from = found + line.length;
  }
  return pass(`all ${reportLines.length} lines of a text are shown`);
}

/** PROJECTION-001: a long text, whole or visibly cut. */
export const longTextWhole = scripted({
  id: 'PROJECTION-001/long-text',
  invariant: 'PROJECTION-001',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, REPORT, { result: { content: [{ type: 'text', text: WHOLE }] } })]));
    await ask(bench, SERVER, REPORT);
    await bench.close();
  },
  judge: judgeLong,
});
