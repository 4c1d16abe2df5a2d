/** A tool's own error, of a tool that declares an output schema (CALL-021). */
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'candid';
const WORDS = 'the weather vane is frozen';
const SCHEMA = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
const failing = (more: object): object => ({ content: [{ type: 'text', text: WORDS }], isError: true, ...more });

/** Tools by what their failures carry beside the words. */
const FAILURES: Readonly<Record<string, object>> = {
  'without-structure': failing({}),
  'against-its-schema': failing({ structuredContent: { degrees: 'unknown' } }),
};

/** CALL-021: what the tool says comes through, not what a validator says. */
export const ownError = scripted({
  id: 'CALL-021/beside-a-schema',
  invariant: 'CALL-021',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, Object.entries(FAILURES).map(([name, result]) => tool(SERVER, name, { outputSchema: SCHEMA, result: { ...result } }))));
    await ask(bench, SERVER, STEADY);
    for (const name of Object.keys(FAILURES)) await ask(bench, SERVER, name);
    await bench.close();
  },
  judge(history): Judgement {
    const healthy = callFor(history, STEADY);
    if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
    return first(doubt([echoed(healthy), 'a healthy call']), ...Object.keys(FAILURES).map((name) => {
      const call = callFor(history, name);
      if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
      if (call.answer === undefined) return inconclusive(`the server did not answer "${name}"`);
      const reply = replyOf(call);
      return first(
        reply?.outcome === 'ok' ? fail(`the failure ${name.replaceAll('-', ' ')} ended as a success`, placesOf(call)) : undefined,
        readOf(reply).includes(WORDS) ? undefined : fail(`what the tool said of its failure ${name.replaceAll('-', ' ')} cannot be read`, placesOf(call)),
      );
    })) ?? pass('what the tool said can be read');
  },
});
