/** Calls that meet the end of their server. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';
import { tell } from './told.ts';

/** Two calls on the wire of a server that then ends. */
function caught(first: Partial<CallReply> | undefined, second: Partial<CallReply> | undefined): HistoryBuilder {
  const builder = history();
  tell(builder, { server: 'ends-clean', rawName: 'waiting' });
  tell(builder, { server: 'ends-clean', rawName: 'fatal' });
  builder.record('ends-clean', { kind: 'process', event: 'exit', code: 0 });
  if (first !== undefined) builder.outcome('told-1', first);
  if (second !== undefined) builder.outcome('told-3', second);
  return builder;
}
const lost: Partial<CallReply> = { outcome: 'failed', executed: 'unknown', view: [], message: 'the server ended' };
/** A call that is answered, one that is caught in the end of its server, one that is never sent. */
const truth = (answered: Partial<CallReply> = {}, during: Partial<CallReply> = lost, unsent: Partial<CallReply> = { outcome: 'failed', executed: 'no' }): HistoryBuilder => {
  const builder = tell(history(), { server: 'mortal', rawName: 'steady', result: {}, reply: answered });
  return tell(builder, { server: 'mortal', rawName: 'fatal', reply: during }).unreached('p_steady', 'mortal', 'steady', unsent);
};
const back = (builder: HistoryBuilder): HistoryBuilder =>
  echo(builder.record('ends-clean', { kind: 'process', event: 'incarnation' }, 2), 'ends-clean', 'healthy_at_ends-clean');

/** What these judges must refuse and must let pass. */
export const endHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-003/server-ends',
    mustFail: [
      back(caught(lost, lost)).received('ends-clean', { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'fatal', arguments: { probe: 'told-3' } } }, 2)
        .named('the next process gets the call again'),
    ],
    mustPass: [back(caught(lost, lost)).named('the server came back and got other calls only')],
    mustDoubt: [history().named('no call'), caught(lost, lost).named('it never came back')],
  },
  {
    check: 'CALL-004/server-ends',
    mustFail: [
      caught(undefined, lost).named('one call never settles'), caught({ outcome: 'ok' }, lost).named('one succeeds'),
      caught(lost, lost).call('p_steady', 'witness', 'steady', 'steady', { outcome: 'failed' }).named('another server can no longer be called'),
    ],
    mustPass: [caught({ ...lost, outcome: 'timed-out' }, { ...lost, outcome: 'tool-error' }).named('whatever kind of failure')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-005/server-ends',
    mustFail: [caught({ ...lost, executed: 'no' }, lost).named('not executed'), caught({ ...lost, executed: 'yes' }, lost).named('executed for certain')],
    mustPass: [caught(lost, undefined).named('one unknown, one that never settled')],
    mustDoubt: [caught(undefined, undefined).named('nothing settled')],
  },
  {
    check: 'CALL-018/around-an-end',
    mustFail: [
      truth({ executed: 'no' }).named('an answered call is called not executed'),
      truth({ executed: 'yes' }, { outcome: 'failed', executed: 'no' }).named('a call caught in the end is called not executed'),
      truth({ executed: 'yes' }, lost, { outcome: 'failed', executed: 'yes' }).named('a call that was never sent is called executed'),
      truth({ executed: 'yes' }, lost, { outcome: 'ok', executed: 'unknown' }).named('a call that was never sent succeeds'),
    ],
    mustPass: [
      truth().named('yes, unknown and no'),
      truth({ executed: 'unknown' }, lost, { outcome: 'failed', executed: 'unknown' }).named('it never says more than that it does not know'),
      tell(truth(), { server: 'mortal', rawName: 'steady', error: { code: -32602, message: 'no' }, reply: { outcome: 'failed', executed: 'no' } }).named('the server refused, so nothing was executed'),
    ],
    mustDoubt: [history().named('no call')],
  },
];
