/** Arguments and results, unchanged on their way. */
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { tell } from './told.ts';

const took = (wire: unknown, args: object = { a: [1, { b: 0 }] }): HistoryBuilder => tell(history(), { server: 'taker', rawName: 'take', args, wire, result: {}, reply: {} });
/** Calls one after the other: what was given, and what the server received. */
const gives = (rawName: string, ...pairs: readonly (readonly [given: object, wire: unknown])[]): HistoryBuilder => {
  const builder = history();
  for (const [args, wire] of pairs) tell(builder, { server: 'given', rawName, args, wire, result: {}, reply: {} });
  return builder;
};
const probed = (n: number, rest: object): object => ({ ...rest, probe: `told-${n}` });
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
    check: 'CALL-001/typed',
    mustFail: [
      gives('search', [{ query: 'a' }, probed(1, { query: 'a' })], [{ query: 'b' }, probed(3, { query: 'b', limit: 10 })]).named('a default is filled in'),
      gives('search', [{ query: 'a', unnamed: 1 }, { query: 'a' }], [{ query: 'b' }, probed(3, { query: 'b' })]).named('what the schema does not name is dropped, the probe as well'),
      gives('search', [{ query: 'a', value: '7' }, probed(1, { query: 'a', value: 7 })]).named('a text became a number'),
      gives('search', [{ query: 'a' }, probed(1, { query: 'a' })]).unreached('p_search', 'given', 'search').named('what the schema allows is refused'),
    ],
    mustPass: [gives('search', [{ query: 'a', limit: 1 }, probed(1, { limit: 1.0, query: 'a' })], [{ query: 'b' }, probed(3, { query: 'b' })]).named('as given, in another order')],
    mustDoubt: [history().named('no call'), history().unreached('p_search', 'given', 'search').named('nothing ever arrived'), gives('search', [{ query: 'a' }, probed(1, { query: 'a' })]).named('one call alone')],
  },
  {
    check: 'CALL-001/over-http',
    mustFail: [
      gives('write', [{ text: 'a' }, probed(1, { text: 'a' })], [{ text: 'é' }, probed(3, { text: '\u00c3\u00a9' })]).named('bytes were taken for letters'),
      gives('write', [{ text: 'a' }, probed(1, { text: 'a' })]).unreached('p_write', 'given', 'write', { outcome: 'failed', executed: 'unknown' }).named('a body that was cut is no message'),
    ],
    mustPass: [gives('write', [{ text: 'a' }, probed(1, { text: 'a' })], [{ text: 'é🪶' }, probed(3, { text: 'é🪶' })]).named('every letter')],
    mustDoubt: [history().named('no call'), gives('write', [{ text: 'a' }, probed(1, { text: 'a' })]).named('one call alone')],
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
