/** Calls that get a response over HTTP, and no answer in it. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, type WebStory } from './web.ts';

const STATUSES = {
  'internal-error': 500, 'bad-gateway': 502, unavailable: 503, 'gateway-timeout': 504, 'too-many-requests': 429, 'accepted-as-if-it-were-a-notice': 202, 'no-content': 204,
  'nothing-at-all': 200, 'a-page': 200, 'half-an-answer': 200,
} as const;
type Name = keyof typeof STATUSES;

interface Evasion {
  readonly times?: number;
  /** `undefined`: the call never ended. */
  readonly reply?: Partial<CallReply> | undefined;
  readonly tookMs?: number;
  /** Whether a later call goes through. */
  readonly after?: boolean;
}

const NONE: Evasion = {};

/** All of them in a row, one of them in another way; a call goes through after each. */
function evaded(odd: Name = 'a-page', how: Evasion = NONE, names = Object.keys(STATUSES)): WebStory {
  const story = webHealthy('evasive');
  for (const [name, status] of Object.entries(STATUSES)) {
    if (!names.includes(name)) continue;
    const { times = 1, tookMs = 0, after = true, ...rest } = name === odd ? how : NONE;
    const reply = 'reply' in rest ? rest.reply : {};
    const executed = status === 429 ? 'no' : 'unknown';
    story.sent('one', Array.from({ length: times }, () => status), reply === undefined ? undefined : { executed, message: `status ${status}: no answer`, ...reply }, name, tookMs).fault(`on-${name}`, 'respond');
    if (after) story.echoed('one');
    else return story.sent('one', [200], {}).sent('one', [200], {});
  }
  return story;
}

/** What the judges of calls without an answer must refuse and must let pass. */
export const noAnswerHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-041/no-answer',
    mustFail: [
      evaded('bad-gateway', { times: 2 }).named('sent again to a gateway that failed'), evaded('unavailable', { times: 2, reply: { outcome: 'ok' } }).named('sent again when it was asked to come back'),
      evaded('half-an-answer', { times: 3 }).named('sent until an answer is whole'),
    ],
    mustPass: [
      evaded().named('sent once each'), evaded('too-many-requests', { times: 2 }).named('what was not taken is sent again, which others judge'), evaded('no-content', { reply: undefined }).named('one never settled, which others judge'),
    ],
    mustDoubt: [webHealthy('evasive').named('nothing was refused'), evaded('a-page', {}, ['internal-error', 'a-page']).named('two of the forms alone')],
  },
  {
    check: 'CALL-042/no-answer',
    mustFail: [
      evaded('accepted-as-if-it-were-a-notice', { tookMs: 5_000 }).named('after seconds only'), evaded('no-content', { reply: undefined }).named('never'), evaded('gateway-timeout', { reply: { executed: 'no' } }).named('a gateway gave up, and it is said not to have run'),
      evaded('internal-error', { reply: { executed: 'yes' } }).named('as executed'), evaded('a-page', { reply: { outcome: 'ok', executed: 'yes' } }).named('a page is a success'), evaded('too-many-requests', { times: 2 }).named('sent again when there are too many'),
      evaded('half-an-answer', { after: false }).named('nothing goes through afterwards'),
    ],
    mustPass: [
      evaded('unavailable', { tookMs: 1_500 }).named('after a moment'), evaded('too-many-requests', { reply: { executed: 'unknown' } }).named('nothing is said of what was not taken'), evaded('a-page', { reply: { outcome: 'timed-out' } }).named('under another name'),
      evaded('nothing-at-all').sent('one', [], { executed: 'no' }).echoed('two').named('in a new session after a loss'),
    ],
    mustDoubt: [webHealthy('evasive').named('nothing was refused'), evaded('a-page', {}, ['a-page']).named('one of the forms alone')],
  },
  {
    check: 'CALL-043/no-answer',
    mustFail: [evaded('bad-gateway', { reply: { message: 'the tool failed' } }).named('it failed, and no more'), evaded('too-many-requests', { reply: { message: 'try again in 4290 ms' } }).named('a hint, and no status')],
    mustPass: [
      evaded().named('in the message'), evaded('internal-error', { reply: { message: '', view: [{ type: 'text', text: 'HTTP 500' }] } }).named('in the text for the model'),
      evaded('nothing-at-all', { reply: { message: 'no answer' } }).named('no status of a success'), evaded('gateway-timeout', { reply: { outcome: 'ok' } }).named('one succeeded, which others judge'),
      evaded('bad-gateway', { reply: undefined }).named('one never settled, which others judge'),
    ],
    mustDoubt: [webHealthy('evasive').named('nothing was refused'), evaded('a-page', {}, ['a-page']).named('a page alone')],
  },
];
