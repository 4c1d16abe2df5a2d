/** Arguments and results, unchanged on their way. */
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { tell } from './told.ts';

const took = (wire: unknown, args: object = { a: [1, { b: 0 }] }): HistoryBuilder => tell(history(), { server: 'taker', rawName: 'take', args, wire, result: {}, reply: {} });
const bare = (params: object): HistoryBuilder => history().asked({ callId: 'b', name: 'p_bare', arguments: {} }, { server: 'taker', rawName: 'bare' })
  .received('taker', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'bare', ...params } });
const gave = (result: object, value: unknown, outcome: 'ok' | 'failed' = 'ok'): HistoryBuilder =>
  tell(history(), { server: 'valued', rawName: 'give', result, reply: { outcome, value } });

/** What these judges must refuse and must let pass. */
export const valueHistories: readonly JudgeHistories[] = [
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
];
