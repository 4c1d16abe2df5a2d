import type { CallReply } from '../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';
import { missingHistories } from './call/missing-structured.ts';
import { renewedHistories } from './call/renewed.ts';
import { echo } from './echo.ts';

/** A call whose arguments, wire and result are told apart. */
interface Told {
  readonly server: string;
  readonly rawName: string;
  readonly args?: object;
  /** What the server received; default: what was given. */
  readonly wire?: unknown;
  readonly result?: object;
  readonly error?: object;
  readonly reply?: Partial<CallReply>;
}

function tell(builder: HistoryBuilder, { server, rawName, args = {}, result, error, reply, ...rest }: Told): HistoryBuilder {
  const callId = `told-${builder.nextId()}`;
  const given = { ...args, probe: callId };
  const id = builder.nextId();
  const wire = 'wire' in rest ? rest.wire : given;
  builder.asked({ callId, name: `p_${rawName}`, arguments: given }, { server, rawName })
    .received(server, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: wire } });
  if (result !== undefined || error !== undefined) builder.sent(server, { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  return reply === undefined ? builder : builder.outcome(callId, reply);
}

const took = (wire: unknown, args: object = { a: [1, { b: 0 }] }): HistoryBuilder => tell(history(), { server: 'taker', rawName: 'take', args, wire, result: {}, reply: {} });
const bare = (params: object): HistoryBuilder => history().asked({ callId: 'b', name: 'p_bare', arguments: {} }, { server: 'taker', rawName: 'bare' })
  .received('taker', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bare', ...params } });

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

const WORDS = ['the first words of the report', 'the next words of the report', 'the last words of the report'];
const ALL = [WORDS[0], 'a link to file:///report.txt', WORDS[1], 'a block of type from-the-future', WORDS[2]];
const BOTH: Partial<CallReply> = { view: [{ type: 'text', text: WORDS.join(' … ') }] };
function flags(results: Readonly<Record<string, { readonly flag?: unknown; readonly reply: Partial<CallReply> }>>): HistoryBuilder {
  const builder = history();
  for (const [rawName, { reply, ...rest }] of Object.entries(results)) {
    tell(builder, { server: 'failing', rawName, result: { content: [], ...('flag' in rest ? { isError: rest.flag } : {}) }, reply });
  }
  return builder;
}
const failed: Partial<CallReply> = { outcome: 'tool-error', view: [{ type: 'text', text: ALL.join('\n') }] };
const goodFlags = {
  flagged: { flag: true, reply: failed }, 'flagged-with-structure': { flag: true, reply: failed },
  unflagged: { flag: false, reply: BOTH }, plain: { reply: BOTH },
};
const oddFlags = (outcome: 'ok' | 'tool-error'): HistoryBuilder => flags({
  'flag-text-true': { flag: 'true', reply: { outcome } }, 'flag-text-false': { flag: 'false', reply: {} }, 'flag-one': { flag: 1, reply: {} }, 'flag-null': { flag: null, reply: {} },
});
function rpc(reply: (words: string) => Partial<CallReply>): HistoryBuilder {
  const builder = history();
  for (const rawName of ['rpc-internal', 'rpc-params', 'rpc-own-code']) {
    const message = `words of ${rawName}`;
    tell(builder, { server: 'failing', rawName, error: { code: -32603, message }, reply: reply(message) });
  }
  return builder;
}

const gave = (result: object, value: unknown, outcome: 'ok' | 'failed' = 'ok'): HistoryBuilder =>
  tell(history(), { server: 'valued', rawName: 'give', result, reply: { outcome, value } });

/** A call cancelled, settled or not, answered late. */
function cancelled(options: { readonly notices: readonly unknown[]; readonly settles?: 'before' | 'after' | 'never'; readonly outcome?: CallReply['outcome']; readonly beside?: boolean }): HistoryBuilder {
  const { notices, settles = 'before', outcome = 'aborted', beside = true } = options;
  const builder = history();
  const [slow, other] = [builder.nextId(), builder.nextId()];
  builder.asked({ callId: 's', name: 'p_slow', arguments: { probe: 's' } }, { server: 'patient', rawName: 'slow' })
    .received('patient', { jsonrpc: '2.0', id: slow, method: 'tools/call', params: { name: 'slow', arguments: { probe: 's' } } })
    .asked({ callId: 'o', name: 'p_beside', arguments: { probe: 'o' } }, { server: 'patient', rawName: 'beside' })
    .received('patient', { jsonrpc: '2.0', id: other, method: 'tools/call', params: { name: 'beside', arguments: { probe: 'o' } } })
    .event({ kind: 'cancel', callId: 's' });
  for (const requestId of notices) builder.received('patient', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  if (settles === 'before') builder.outcome('s', { outcome, executed: 'unknown', view: [] });
  builder.sent('patient', { jsonrpc: '2.0', id: slow, result: { content: [] } });
  if (settles === 'after') builder.outcome('s', { outcome, executed: 'unknown', view: [] });
  builder.sent('patient', { jsonrpc: '2.0', id: other, result: { content: [] } })
    .outcome('o', beside ? { view: [{ type: 'text', text: 'echo of o' }] } : { outcome: 'aborted', view: [] });
  return echo(builder, 'patient', 'steady');
}

function timedOut(afterMs: number, outcome: CallReply['outcome'], dropped: CallReply['outcome'] = 'aborted'): HistoryBuilder {
  const builder = history();
  tell(builder, { server: 'endless', rawName: 'dropped' });
  builder.event({ kind: 'cancel', callId: 'told-1' }).outcome('told-1', { outcome: dropped, view: [] });
  tell(builder, { server: 'endless', rawName: 'endless' });
  return builder.wait(afterMs).outcome('told-3', { outcome, executed: 'unknown', view: [] });
}

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

/** What the judges of `call` must refuse and must let pass. */
export const callHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-001/any-json',
    mustFail: [
      took({ a: [1, {}], probe: 'told-1' }).named('a member is lost'), took({ a: [1, { b: 0 }], probe: 'told-1', extra: null }).named('a member is added'),
      took(undefined).named('nothing arrives'),
    ],
    mustPass: [took({ probe: 'told-1', a: [1, { b: -0 }] }).named('another order of keys, and a zero with a sign')],
    mustDoubt: [history().named('no call'), history().unreached('p_take', 'taker', 'take').named('it did not arrive')],
  },
  {
    check: 'CALL-001/large',
    mustFail: [took({ probe: 'told-1' }, { text: 'x'.repeat(9_000) }).named('nothing of it arrives'), took({ text: 'x'.repeat(4_096), probe: 'told-1' }, { text: 'x'.repeat(9_000) }).named('a part of it arrives')],
    mustPass: [took({ probe: 'told-1', text: 'x'.repeat(9_000) }, { text: 'x'.repeat(9_000) }).named('all of it, in another order')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-002/none',
    mustFail: [bare({}).named('no member arguments'), bare({ arguments: null }).named('null'), bare({ arguments: { x: 1 } }).named('something')],
    mustPass: [bare({ arguments: {}, _meta: { progressToken: 1 } }).named('empty, beside other params')],
    mustDoubt: [history().named('no call')],
  },
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
  {
    check: 'CALL-006/flags',
    mustFail: [
      flags({ ...goodFlags, flagged: { flag: true, reply: BOTH } }).named('a flagged result succeeds'),
      flags({ ...goodFlags, unflagged: { flag: false, reply: failed } }).named('false fails'),
      ...ALL.map((left) => flags({ ...goodFlags, flagged: { flag: true, reply: { outcome: 'failed', view: [{ type: 'text', text: ALL.filter((one) => one !== left).join('\n') }] } } }).named(`lost: ${left}`)),
    ],
    mustPass: [
      flags({ ...goodFlags, flagged: { flag: true, reply: { outcome: 'failed', view: [], message: ALL.join(' and ') } } }).named('the text stands in the message only'),
      flags({ ...goodFlags, flagged: { flag: true, reply: { outcome: 'tool-error', view: [WORDS[0], '[resource_link]', WORDS[1], '[?1]', WORDS[2]].map((words) => ({ type: 'text', text: String(words) })) } } }).named('other blocks are told by a word, as in a success'),
    ],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-007/odd-flags',
    mustFail: [oddFlags('tool-error').named('the text "true" fails the call')],
    mustPass: [oddFlags('ok').named('no flag counts')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-008/codes',
    mustFail: [rpc(() => ({ outcome: 'failed', view: [], message: 'error' })).named('the words are lost'), rpc(() => ({ outcome: 'ok' })).named('errors succeed')],
    mustPass: [rpc((words) => ({ outcome: 'tool-error', view: [{ type: 'text', text: `MCP error: ${words}.` }] })).named('the words stand in the view')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-009/any-result',
    mustFail: [
      gave({ content: [] }, { content: [], structuredContent: null }).named('structured content is invented'),
      gave({ content: [], _meta: {} }, { content: [], _meta: {} }).named('another member is kept'),
      gave({ content: [{ type: 'text', text: 'x', extra: 1 }] }, { content: [{ type: 'text', text: 'x' }] }).named('a block loses a member'),
      gave({ content: [] }, undefined, 'failed').named('the result is refused'),
    ],
    mustPass: [gave({ content: [], isError: false, structuredContent: {} }, { structuredContent: {}, content: [] }).named('another order of keys, an empty structure')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-010/one-notice',
    mustFail: [
      cancelled({ notices: [] }).named('no notice'), cancelled({ notices: [1, 1] }).named('two notices'),
      cancelled({ notices: [2] }).named('another request is named'), cancelled({ notices: ['1'] }).named('the id in another form'),
    ],
    mustPass: [cancelled({ notices: [1], settles: 'after' }).named('one notice; when the call settles is another matter')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-011/settles-alone',
    mustFail: [
      cancelled({ notices: [1], settles: 'never' }).named('it never settles'), cancelled({ notices: [1], settles: 'after' }).named('it waits for the server'),
      cancelled({ notices: [1], outcome: 'ok' }).named('it succeeds'), cancelled({ notices: [1], beside: false }).named('the call beside is aborted too'),
    ],
    mustPass: [cancelled({ notices: [], outcome: 'failed' }).named('a plain failure, and no notice: another matter')],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-012/never-answered',
    mustFail: [
      timedOut(700, 'aborted').named('taken for an abort'), timedOut(100, 'timed-out').named('too soon'), timedOut(30_000, 'timed-out').named('far too late'),
      timedOut(700, 'timed-out', 'timed-out').named('an abort taken for a timeout'),
    ],
    mustPass: [timedOut(1_900, 'timed-out').named('late, within what was declared')],
    mustDoubt: [history().named('no call')],
  },
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
  ...renewedHistories,
  ...missingHistories,
];
