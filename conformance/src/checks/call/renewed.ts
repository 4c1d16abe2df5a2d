/** Tools of which a new list changes only what the model is not shown: the output schema (CALL-013) or the execution (CALL-016). */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, messageOf, isObject, type PairedCall } from '../../history/views.ts';
import { describes, freshWord, markedTool } from '../tool-lists.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'renewed';
/** The barrier that says that the new list took effect. */
export const RENEWED = 'the renewed list is shown';

type Written = ReturnType<typeof tool>;

/** A list with a last tool by whose description it is known. */
function listed(tools: readonly Written[], word: string): ScenarioInput {
  return script(SERVER, [...tools, markedTool(SERVER, 'beacon', word)]);
}

/** Calls each tool and {@link STEADY} under the first list and again under the second one. */
async function twice(bench: Bench, before: readonly Written[], after: readonly Written[]): Promise<void> {
  const names = [...before.map(({ name }) => name), STEADY];
  const server = await openOne(bench, SERVER, listed(before, freshWord()));
  for (const name of names) await ask(bench, SERVER, name);
  const word = freshWord();
  await bench.change(server, listed(after, word), RENEWED, describes(word));
  for (const name of names) await ask(bench, SERVER, name);
  await bench.close();
}

/** The calls of a tool under the first and the second list; doubt when one is not there. */
function bothCalls(history: History, name: string): readonly [PairedCall, PairedCall] | Judgement {
  const renewed = barrierOf(history, RENEWED);
  if (renewed?.event.reached !== true) return inconclusive('not in the history: a renewed list that took effect');
  const calls = callsFor(history, name, SERVER);
  const before = calls.findLast(({ call }) => call.index < renewed.index);
  const after = calls.find(({ call }) => call.index > renewed.index);
  if (before === undefined || after === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called under both lists`);
  return [before, after];
}

const COUNT = { count: 'three' };
const counted = (name: string, type: 'integer' | 'string'): Written => tool(SERVER, name, {
  outputSchema: { type: 'object', properties: { count: { type } } },
  result: { content: [{ type: 'text', text: JSON.stringify(COUNT) }], structuredContent: COUNT },
});

function judgeSchema(history: History, name: string, fits: readonly [boolean, boolean]): Judgement | undefined {
  const calls = bothCalls(history, name);
  if ('verdict' in calls) return calls;
  for (const [at, call] of calls.entries()) {
    if (call.answer === undefined) return inconclusive(`the server did not answer "${name}"`);
    const outcome = replyOf(call)?.outcome;
    if ((outcome === 'ok') === fits[at]) continue;
    return fail(`structuredContent that ${fits[at] === true ? 'fits' : 'contradicts'} the ${at === 0 ? 'first' : 'renewed'} output schema of "${name}" ended as ${outcome ?? 'nothing'}`, placesOf(call));
  }
  return undefined;
}

/** CALL-013: the schema of the list that holds now. */
export const renewedSchema = scripted({
  id: 'CALL-013/renewed',
  invariant: 'CALL-013',
  exercise: (bench) => twice(bench, [counted('loosened', 'integer'), counted('tightened', 'string')], [counted('loosened', 'string'), counted('tightened', 'integer')]),
  judge: (history) => first(judgeSchema(history, 'loosened', [false, true]), judgeSchema(history, 'tightened', [true, false])) ??
    pass('each result was judged by the schema of the list that held'),
});

const TASK = 'becomes-task-only';

/** Whether a request is a call without a task. */
function isPlain(request: PairedCall['requests'][number]): boolean {
  const { params } = messageOf(request.event) as { params?: unknown };
  return !isObject(params) || params['task'] === undefined;
}

/** CALL-016: a tool that requires task execution from now on is refused from now on. */
export const renewedExecution = scripted({
  id: 'CALL-016/renewed',
  invariant: 'CALL-016',
  exercise: (bench) => twice(bench, [tool(SERVER, TASK)], [tool(SERVER, TASK, { execution: { taskSupport: 'required' } })]),
  judge(history): Judgement {
    const calls = bothCalls(history, TASK);
    if ('verdict' in calls) return calls;
    const [before, after] = calls;
    const steady = callsFor(history, STEADY, SERVER).at(-1);
    return first(
      doubt([echoed(before), 'a healthy call while it was a plain tool']),
      after.requests.some(isPlain) ? fail('a tool that requires task execution since its list was renewed was called plainly', placesOf(after)) : undefined,
      doubt([steady !== undefined && steady.call.index > after.call.index && echoed(steady), 'a healthy call afterwards']),
      replyOf(after)?.outcome === 'ok' ? fail('a tool that was never called succeeded', placesOf(after)) : undefined,
      after.outcome === undefined ? fail('the call never settled', placesOf(after)) : undefined,
      readOf(replyOf(after)).trim() === '' ? fail('the refusal says nothing', placesOf(after)) : undefined,
    ) ?? pass('the call was refused since the list was renewed, and nothing was sent');
  },
});
