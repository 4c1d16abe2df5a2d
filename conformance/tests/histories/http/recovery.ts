/** Sessions that end, servers that go away, sessions that are given back. */
import { BACK } from '../../../src/checks/http/steps.ts';
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, WebStory } from './web.ts';

const SERVER = 'returning-web';
const SHOWN = 'the list of the new session is shown';

const lost = (order: string): WebStory => webHealthy(SERVER).ordered(order).ended('one');
const found = (story: WebStory): WebStory => story.echoed('two').barrier(BACK).barrier(SHOWN).echoed('two', 'fresh');

function recoveries(check: string, order: string, more: Partial<JudgeHistories> = {}): JudgeHistories {
  return {
    check,
    mustFail: [
      found(lost(order).sent('one', [404], {}).began('two', 'one')).named('the handshake names the old session'),
      lost(order).sent('one', [404], {}).began('two').barrier(BACK, false).named('it is not found again'),
      lost(order).unsent().barrier(BACK, false).named('nothing is tried'),
      lost(order).began('two').echoed('two').barrier(BACK).barrier(SHOWN, false).named('the old list stays'),
      lost(order).began('two').echoed('two').barrier(BACK).barrier(SHOWN).sent('two', [200], {}, 'fresh').named('a new tool cannot be called'),
    ],
    mustPass: [
      found(lost(order).began('two')).named('found at once, no call met the loss'), found(lost(order).sent('one', [404], {}).unsent().began('two')).named('found by a call'),
      found(lost(order).request('POST', { status: 404, message: { method: 'initialize' } }).began('two')).named('at the second handshake'),
      lost(order).sent('one', [404], {}).began('two').echoed('two', 'steady', 'one').barrier(BACK).barrier(SHOWN).echoed('two', 'fresh').named('the call that was refused is sent again'), ...(more.mustPass ?? []),
    ],
    mustDoubt: [webHealthy(SERVER).named('nothing was lost'), lost(order).began('two').named('nobody waited')],
  };
}

const forgetful = (options: object = {}): WebStory => webHealthy('forgetful', 'one', { ...options }).ended('one');
const refused = (story: WebStory, status: 200 | 400 | 404 = 404): WebStory => story.sent('one', [status], { executed: 'no' });
/** A session of its own, given back, as for one listing. */
const lookedIn = (story: WebStory, session: string): WebStory => story.began(session)
  .request('POST', { session, status: 200, message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }).request('DELETE', { session, status: 200 }).ended(session);
/** A session for each operation: the call in `session` is answered, and the session given back. */
const calledIn = (story: WebStory, session: string): WebStory => story.began(session).echoed(session).request('DELETE', { session, status: 200 }).ended(session);
const ON_400 = { sessionLostOn400: true };

/** A session whose list could not be read. */
const unlisted = (): WebStory => new WebStory('lender').asked('open').began('one').fault('no-list-yet', 'error').settled('open');
const closing = (): WebStory => webHealthy('lender').asked('close');

/** What the judges of recoveries over HTTP must refuse and must let pass. */
export const webRecoveryHistories: readonly JudgeHistories[] = [
  recoveries('CONNECTION-030/told-with-an-error', 'closeSession'),
  recoveries('CONNECTION-030/told-by-status-alone', 'closeSession'),
  recoveries('CONNECTION-031/restarted', 'restart'),
  recoveries('CONNECTION-031/down-for-a-while', 'down'),
  recoveries('CONNECTION-031/another-in-its-place', 'restart'),
  {
    check: 'CONNECTION-032/told-by-404',
    mustFail: [
      refused(forgetful()).began('two').began('three').echoed('two').barrier(BACK).named('two handshakes'),
      refused(forgetful()).began('two').request('DELETE', { session: 'two', status: 200 }).ended('two').began('three').echoed('three').barrier(BACK).named('two handshakes, and the first session given back unused'),
      forgetful().sent('one', [404, 200], { outcome: 'ok', executed: 'yes' }).began('two').echoed('two').barrier(BACK).named('the refused call is sent again'),
      forgetful().sent('one', [404], { executed: 'yes' }).began('two').echoed('two').barrier(BACK).named('the refused call counts as executed'),
      forgetful().sent('one', [404], undefined).began('two').echoed('two').barrier(BACK).named('the refused call never settles'), refused(forgetful()).barrier(BACK, false).named('the session is not replaced'),
    ],
    mustPass: [
      refused(forgetful()).began('two').unsent().echoed('two').barrier(BACK).named('one handshake'), forgetful().sent('one', [404], { executed: 'unknown' }).began('two').echoed('two').barrier(BACK).named('perhaps executed'),
      forgetful().request('GET', { session: 'one', status: 404 }).unsent().began('two').echoed('two').barrier(BACK).named('noticed by another request'),
      lookedIn(lookedIn(refused(lookedIn(forgetful(), 'look-1')), 'look-2').began('two'), 'look-3').echoed('two').barrier(BACK).named('a session of its own for each listing'),
      lookedIn(new WebStory('forgetful').asked('open'), 'look-0').began('one').settled('open').registry().echoed('one').ended('one').sent('one', [404], { executed: 'no' }).began('two').echoed('two').barrier(BACK).named('the first session was one for a listing'),
    ],
    mustSkip: [calledIn(calledIn(new WebStory('forgetful').asked('open').settled('open').registry(), 'first'), 'second').barrier(BACK).named('a session for each call')],
    mustDoubt: [webHealthy('forgetful').named('no session ended'), forgetful().began('two').echoed('two').barrier(BACK).named('nothing was refused'), refused(forgetful()).began('two').named('nobody waited')],
  },
  {
    check: 'CONNECTION-032/told-by-400',
    mustFail: [
      refused(forgetful(ON_400), 400).barrier(BACK, false).named('not replaced, though the option says so'), refused(forgetful(), 400).began('two').began('three').named('two handshakes'),
      forgetful().sent('one', [400, 400], {}).named('the refused call is sent again'),
    ],
    mustPass: [refused(forgetful(), 400).named('left as it is, without the option'), refused(forgetful(), 400).began('two').echoed('two').named('replaced, without the option'), refused(forgetful(ON_400), 400).began('two').echoed('two').barrier(BACK).named('replaced, with it')],
    mustDoubt: [refused(forgetful(ON_400), 400).named('nobody waited')],
  },
  {
    check: 'CONNECTION-032/told-by-200',
    mustFail: [
      refused(forgetful(ON_400), 200).barrier(BACK, false).named('not replaced, though the option says so'), refused(forgetful(), 200).began('two').began('three').named('two handshakes'),
      forgetful(ON_400).sent('one', [200], { executed: 'yes' }).began('two').echoed('two').barrier(BACK).named('the refused call counts as executed, though the option says what the error means'), forgetful().sent('one', [200], { outcome: 'ok' }).named('the error is a result'),
    ],
    mustPass: [
      refused(forgetful(), 200).named('left as it is, without the option'), forgetful().sent('one', [200], { executed: 'yes' }).named("without the option, the error counts as the tool's own"),
      forgetful(ON_400).sent('one', [200], { executed: 'unknown' }).began('two').echoed('two').barrier(BACK).named('replaced, with it, perhaps executed'),
    ],
    mustDoubt: [refused(forgetful(ON_400), 200).named('nobody waited')],
  },
  {
    check: 'CONNECTION-033/taken',
    mustFail: [
      closing().settled('close').named('not given back'), closing().request('DELETE', { session: 'one', status: 200 }).ended('one').request('DELETE', { session: 'one', status: 404 }).settled('close').named('twice'),
      closing().request('DELETE', { status: 400 }).settled('close').named('without its name'), closing().request('DELETE', { session: 'one', status: 200 }).ended('one').settled('close', 'no').named('closing fails'),
    ],
    mustPass: [
      closing().request('DELETE', { session: 'one', status: 200 }).ended('one').settled('close').named('given back'),
      webHealthy('lender').ended('one').began('two').asked('close').request('DELETE', { session: 'two', status: 200 }).ended('two').settled('close').named('one had ended by itself'),
    ],
    mustDoubt: [webHealthy('lender').named('nothing was closed'), webHealthy('lender').ended('one').asked('close').settled('close').named('no session was alive')],
  },
  {
    check: 'CONNECTION-033/not-taken',
    mustFail: [closing().request('DELETE', { session: 'one', status: 405 }).barrier('close settles', false).named('closing never settles'), closing().request('DELETE', { session: 'one', status: 405 }).request('DELETE', { session: 'one', status: 405 }).settled('close').named('asked again')],
    mustPass: [closing().request('DELETE', { session: 'one', status: 405 }).settled('close').named('refused, and let be')],
  },
  {
    check: 'CONNECTION-033/never-listed',
    mustFail: [
      unlisted().began('two').asked('close').request('DELETE', { session: 'two', status: 200 }).ended('two').settled('close').named('the one without a list is forgotten'),
      unlisted().asked('close').settled('close').named('not tried again, and not given back'),
    ],
    mustPass: [
      unlisted().request('DELETE', { session: 'one', status: 200 }).ended('one').began('two').asked('close').request('DELETE', { session: 'two', status: 200 }).ended('two').settled('close').named('given back one by one'),
      unlisted().began('two').asked('close').request('DELETE', { session: 'one', status: 200 }).ended('one').request('DELETE', { session: 'two', status: 200 }).ended('two').settled('close').named('all at the end'),
      unlisted().asked('close').request('DELETE', { session: 'one', status: 200 }).ended('one').settled('close').named('listed again in the same session, or never'),
    ],
    mustDoubt: [new WebStory('lender').asked('open').began('one').settled('open').asked('close').request('DELETE', { session: 'one', status: 200 }).ended('one').settled('close').named('every list could be read')],
  },
];
