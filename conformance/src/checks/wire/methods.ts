/**
 * Which methods a bridge of tools requests, and what it costs that a server declares more than it serves.
 */
import type { Bench } from '../../bench/bench.ts';
import { frames, isObject, messageOf, received, answerTo } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import type { History } from '../../history/schema.ts';
import { callFor, doubt, echoed, first, idOf, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'boastful';

/** Requests of a client that has more than tools in mind. */
const FOREIGN = ['resources/', 'prompts/', 'completion/', 'logging/'];

/** A server that declares everything and serves tools only: the fixture refuses any other method with -32601. */
async function boast(bench: Bench): Promise<void> {
  const capabilities = {
    tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true },
    logging: {}, completions: {},
  };
  await openOne(bench, SERVER, script(SERVER, [], [], { capabilities }));
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** Whether `initialize` was answered with resources and prompts. */
function declared(history: History): boolean {
  return received(history, SERVER, 'initialize').some((request) => {
    const answer = answerTo(history, request);
    const result = answer === undefined ? undefined : messageOf(answer.event)['result'];
    return isObject(result) && isObject(result['capabilities']) && 'resources' in result['capabilities'] && 'prompts' in result['capabilities'];
  });
}

/** WIRE-001: nothing of resources, prompts, completion or logging is asked for. */
export const toolsOnly = scripted({
  id: 'WIRE-001/boastful-server',
  invariant: 'WIRE-001',
  exercise: boast,
  judge(history): Judgement {
    const foreign = frames(history, { direction: 'client-to-server' }).filter((frame) => {
      const { method } = messageOf(frame.event);
      return idOf(frame) !== undefined && typeof method === 'string' && FOREIGN.some((prefix) => method.startsWith(prefix));
    });
    if (foreign[0] !== undefined) {
      return fail(`the subject requested ${String(messageOf(foreign[0].event)['method'])}`, foreign.map(({ index }) => index));
    }
    return doubt(
      [declared(history), 'a server that declared resources and prompts'],
      [(callFor(history, STEADY)?.requests.length ?? 0) > 0, 'a call that reached it'],
    ) ?? pass('only methods of tools were requested');
  },
});

/** WIRE-007: what is declared and not served costs no tool. */
export const undeservedCapabilities = scripted({
  id: 'WIRE-007/boastful-server',
  invariant: 'WIRE-007',
  exercise: boast,
  judge(history): Judgement {
    if (!declared(history)) return inconclusive('no server declared resources and prompts');
    if (received(history, SERVER, 'tools/list').length === 0) return fail('a server that declares more than it serves was never asked for its tools');
    const call = callFor(history, STEADY);
    return first(
      uncalled(history, SERVER, STEADY),
      echoed(call) ? undefined : fail('a tool of a server that declares more than it serves could not be called', call === undefined ? [] : [call.call.index]),
    ) ?? pass('the tool was offered and its call answered');
  },
});
