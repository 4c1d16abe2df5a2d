/** Output schemas, usable or not, and tools that run as tasks alone. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';
import { tell } from './told.ts';

function typed(outcomes: readonly CallReply['outcome'][]): HistoryBuilder {
  const builder = history();
  ['fits', 'wrong-type', 'missing-member'].forEach((rawName, at) => {
    tell(builder, { server: 'typed', rawName, result: { content: [] }, reply: { outcome: outcomes[at] ?? 'ok' } });
  });
  return builder;
}
const listedOdd = (): HistoryBuilder => history().page('typed', [{ name: 'steady' }, { name: 'dangling-ref' }, { name: 'foreign-ref' }, { name: 'bad-pattern' }]);
function odd(builder: HistoryBuilder, words: string): HistoryBuilder {
  for (const rawName of ['dangling-ref', 'foreign-ref', 'bad-pattern']) {
    tell(builder, { server: 'typed', rawName, result: {}, reply: { view: [{ type: 'text', text: words }] } });
  }
  return builder;
}

const refused = (reply: Partial<CallReply>): HistoryBuilder => history().unreached('p_task', 'tasked', 'task-only', { outcome: 'failed', executed: 'no', view: [], ...reply });

/** What these judges must refuse and must let pass. */
export const schemaHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-013/contradictions',
    mustFail: [typed(['ok', 'ok', 'failed']).named('a wrong type passes'), typed(['failed', 'failed', 'failed']).named('everything fails')],
    mustPass: [typed(['ok', 'tool-error', 'failed']).named('failures of either kind')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-014/uncompilable',
    mustFail: [listedOdd().call('p_steady', 'typed', 'steady', 'steady', { outcome: 'failed' }).named('the tool beside fails')],
    mustPass: [echo(listedOdd(), 'typed', 'steady').named('the odd ones are not offered, the one beside works')],
    mustDoubt: [history().named('nothing was listed')],
  },
  {
    check: 'CALL-015/uncompilable',
    mustFail: [odd(listedOdd(), 'the schema is broken').named('the result is replaced')],
    mustPass: [odd(listedOdd(), 'note: delivered in spite of the schema').named('delivered with a remark')],
    mustDoubt: [history().named('nothing was listed')],
  },
  {
    check: 'CALL-016/refused',
    mustFail: [
      echo(tell(history(), { server: 'tasked', rawName: 'task-only', result: {}, reply: { outcome: 'failed' } }), 'tasked', 'steady').named('it was sent plainly'),
      echo(refused({ outcome: 'ok' }), 'tasked', 'steady').named('it succeeds without being sent'), echo(refused({}), 'tasked', 'steady').named('it says nothing'),
    ],
    mustPass: [
      echo(refused({ message: 'cannot run tasks' }).received('tasked', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'task-only', task: {} } }), 'tasked', 'steady')
        .named('run as a task and refused with words'),
    ],
    mustDoubt: [refused({ message: 'cannot run tasks' }).named('no healthy call afterwards')],
  },
];
