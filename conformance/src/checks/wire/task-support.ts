/** Tools that may run as tasks, or must not, of a server that has no tasks: they are plain tools (WIRE-032). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { judgeTasks } from './requests.ts';

const SERVER = 'taskless';
/** Names of the tools, by what they say of tasks. */
const SUPPORT = { optional: 'may-be-a-task', forbidden: 'must-not-be-a-task' } as const;

async function exercise(bench: Bench): Promise<void> {
  await openOne(bench, SERVER, script(SERVER, Object.entries(SUPPORT).map(([taskSupport, name]) => tool(SERVER, name, { execution: { taskSupport } }))));
  for (const name of Object.values(SUPPORT)) await ask(bench, SERVER, name);
  await bench.close();
}

function judge(history: History): Judgement {
  const tasks = judgeTasks(history);
  if (tasks.verdict === 'fail') return tasks;
  const judged = Object.entries(SUPPORT).map(([support, name]): Judgement | undefined => {
    const call = callFor(history, name, SERVER);
    if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`${name} was not called`);
    return echoed(call) ? undefined : fail(`a tool whose taskSupport is ${support} cannot be called`, placesOf(call));
  });
  return first(...judged.filter((one) => one?.verdict === 'fail'), ...judged) ?? pass('tools that may run as tasks, and must not, were called without one');
}

/** Checks of what tools say of tasks. */
export const taskSupportChecks: readonly Check[] = [scripted({ id: 'WIRE-032/may-and-must-not', invariant: 'WIRE-032', exercise, judge })];
