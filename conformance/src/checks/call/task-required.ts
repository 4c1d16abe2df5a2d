/**
 * Tools that can only be called as tasks.
 */
import { paramsOf, received } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'tasked';
const TASK = 'task-only';

/** CALL-016: refused with words, never sent. */
export const taskRequired = scripted({
  id: 'CALL-016/refused',
  invariant: 'CALL-016',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, TASK, { execution: { taskSupport: 'required' } })]));
    await ask(bench, SERVER, TASK);
    await ask(bench, SERVER, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const sent = received(history, SERVER, 'tools/call').find(({ event }) => paramsOf(event)['name'] === TASK && paramsOf(event)['task'] === undefined);
    if (sent !== undefined) return fail('a tool that requires task execution was called plainly', [sent.index]);
    const call = callFor(history, TASK);
    if (call === undefined) return uncalled(history, SERVER, TASK) ?? inconclusive('the tool was not called');
    const steady = callFor(history, STEADY);
    return first(
      doubt([steady !== undefined && echoed(steady), 'a healthy call afterwards']),
      replyOf(call)?.outcome === 'ok' ? fail('a tool that was never called succeeded', placesOf(call)) : undefined,
      call.outcome === undefined ? fail('the call never settled', placesOf(call)) : undefined,
      readOf(replyOf(call)).trim() === '' ? fail('the refusal says nothing', placesOf(call)) : undefined,
    ) ?? pass('the call was refused and nothing was sent');
  },
});
