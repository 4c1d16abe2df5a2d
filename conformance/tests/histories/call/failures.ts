/** Results that say that the tool failed, and errors in place of results. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { tell } from './told.ts';

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
function rpc(reply: (words: string) => Partial<CallReply>, log?: 'debug' | 'warn'): HistoryBuilder {
  const builder = history();
  for (const rawName of ['rpc-internal', 'rpc-params', 'rpc-own-code']) {
    const message = `words of ${rawName}`;
    tell(builder, { server: 'failing', rawName, error: { code: -32603, message }, reply: reply(message) });
    if (log !== undefined) builder.log(log, `tools/call: {"code":-32603,"message":"${message}"}`, 'failing');
  }
  return builder;
}

/** What these judges must refuse and must let pass. */
export const failureHistories: readonly JudgeHistories[] = [
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
    mustPass: [
      oddFlags('ok').named('no flag counts'),
      flags({
        'flag-null': { flag: null, reply: { view: [] } }, 'flag-one': { flag: 1, reply: { executed: 'unknown', message: 'isError is no boolean' } },
        'flag-text-false': { flag: 'false', reply: {} }, 'flag-text-true': { flag: 'true', reply: {} }, flagged: { flag: true, reply: failed },
      }).log('warn', 'isError is no boolean', 'failing').named('with a remark, in another order, and a call beside them that failed rightly'),
    ],
    mustDoubt: [history().named('no call')],
  },
  {
    check: 'CALL-008/codes',
    mustFail: [
      rpc(() => ({ outcome: 'failed', view: [], message: 'error' })).named('the words are lost'), rpc(() => ({ outcome: 'ok' })).named('errors succeed'),
      rpc(() => ({ outcome: 'failed', view: [], message: 'error' }), 'debug').named('the words are for who looks for defects'),
    ],
    mustPass: [
      rpc((words) => ({ outcome: 'tool-error', view: [{ type: 'text', text: `MCP error: ${words}.` }] })).named('the words stand in the view'),
      rpc(() => ({ outcome: 'failed', view: [], message: 'the call failed' }), 'warn').named('the words stand in a warning'),
    ],
    mustDoubt: [history().named('no call')],
  },
];
