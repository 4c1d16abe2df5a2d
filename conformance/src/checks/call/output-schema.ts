/**
 * Structured results and the schemas their tools declare.
 */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { isObject, listings, textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'typed';
const SCHEMA = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
const structured = (structuredContent: object): object => ({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent });

/** Name of the tool to whether its result fits {@link SCHEMA}. */
const RESULTS: Readonly<Record<string, { readonly fits: boolean; readonly value: object }>> = {
  fits: { fits: true, value: { count: 3, more: 'is allowed' } },
  'wrong-type': { fits: false, value: { count: 'three' } },
  'missing-member': { fits: false, value: { total: 3 } },
};

/** CALL-013: a contradiction fails, a fit does not. */
export const contradiction = scripted({
  id: 'CALL-013/contradictions',
  invariant: 'CALL-013',
  async exercise(bench) {
    const tools = Object.entries(RESULTS).map(([name, { value }]) => tool(SERVER, name, { outputSchema: SCHEMA, result: { ...structured(value) } }));
    await openOne(bench, SERVER, script(SERVER, tools));
    for (const name of Object.keys(RESULTS)) await ask(bench, SERVER, name);
    await bench.close();
  },
  judge(history): Judgement {
    return first(...Object.entries(RESULTS).map(([name, { fits, value }]) => {
      const call = callFor(history, name);
      if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
      if (call.answer === undefined) return inconclusive(`the server did not answer "${name}"`);
      const outcome = replyOf(call)?.outcome;
      if (fits === (outcome === 'ok')) return undefined;
      return fail(`structuredContent ${JSON.stringify(value)} under ${JSON.stringify(SCHEMA)} ended as ${outcome ?? 'nothing'}`, placesOf(call));
    })) ?? pass('contradictions failed, the fitting result did not');
  },
});

/** Schemas that no validator can compile. */
const ODD: Readonly<Record<string, unknown>> = {
  'dangling-ref': { type: 'object', properties: { screen: { $ref: '#/$defs/ScreenInstance' } } },
  'foreign-ref': { $ref: 'https://schemas.invalid/none.json' },
  'bad-pattern': { type: 'object', patternProperties: { '(': { type: 'string' } } },
};
const ODD_WORDS = 'delivered in spite of the schema';

async function callOdd(bench: Bench): Promise<void> {
  const result = { content: [{ type: 'text', text: ODD_WORDS }], structuredContent: { screen: 1 } };
  await openOne(bench, SERVER, script(SERVER, Object.entries(ODD).map(([name, outputSchema]) => tool(SERVER, name, { outputSchema, result }))));
  if ((await ask(bench, SERVER, STEADY)) !== undefined) for (const name of Object.keys(ODD)) await ask(bench, SERVER, name);
  await bench.close();
}

/** Whether the server listed a tool with a schema that cannot be compiled. */
function listedOdd(history: History): boolean {
  return listings(history, SERVER).some(({ complete, tools }) => complete && tools.some((one) => isObject(one) && String(one['name']) in ODD));
}

/** CALL-014: the tools beside it are as good as ever. */
export const oddSchemaIsolated = scripted({
  id: 'CALL-014/uncompilable',
  invariant: 'CALL-014',
  exercise: callOdd,
  judge(history): Judgement {
    if (!listedOdd(history)) return inconclusive('no tool with a schema that cannot be compiled was listed');
    const steady = callFor(history, STEADY);
    if (steady === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('the tool beside was not called');
    return echoed(steady) ? pass('the tool beside was offered and answered') : fail('a tool beside one with an odd schema could not be called', placesOf(steady));
  },
});

/** CALL-015: the odd tool itself works, unvalidated. */
export const oddSchemaDelivered = scripted({
  id: 'CALL-015/uncompilable',
  invariant: 'CALL-015',
  exercise: callOdd,
  judge(history): Judgement {
    if (!listedOdd(history)) return inconclusive('no tool with a schema that cannot be compiled was listed');
    return first(...Object.keys(ODD).map((name) => {
      const call = callFor(history, name);
      if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
      const reply = replyOf(call);
      return reply?.outcome === 'ok' && textOf(reply.view).includes(ODD_WORDS)
        ? undefined
        : fail(`the result of "${name}", whose schema cannot be compiled, was not delivered: ${reply?.outcome ?? 'never settled'}`, placesOf(call));
    })) ?? pass('tools with odd schemas were offered and their results delivered');
  },
});
