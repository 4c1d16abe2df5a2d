/**
 * Results with nothing in them.
 */
import { textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'silent';
const EMPTY: Readonly<Record<string, readonly object[]>> = {
  'no-blocks': [],
  'empty-text': [{ type: 'text', text: '' }],
  'empty-texts': [{ type: 'text', text: '' }, { type: 'text', text: '' }],
};

/** PROJECTION-007: it says so. */
export const nothingToShow = scripted({
  id: 'PROJECTION-007/empty-results',
  invariant: 'PROJECTION-007',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, Object.entries(EMPTY).map(([name, content]) => tool(SERVER, name, { result: { content } }))));
    for (const name of Object.keys(EMPTY)) await ask(bench, SERVER, name);
    await bench.close();
  },
  judge(history): Judgement {
    return first(...Object.keys(EMPTY).map((name) => {
      const call = callFor(history, name);
      if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
      if (call.answer === undefined) return inconclusive(`the server did not answer "${name}"`);
      const reply = replyOf(call);
      if (reply?.outcome !== 'ok') return fail(`an empty result ended as ${reply?.outcome ?? 'nothing'}`, placesOf(call));
      return textOf(reply.view).trim() === '' ? fail(`the empty result of "${name}" says nothing`, placesOf(call)) : undefined;
    })) ?? pass('every empty result says so');
  },
});
