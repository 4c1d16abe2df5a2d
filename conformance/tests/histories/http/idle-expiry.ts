/** Sessions that end while nothing is called. */
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, type WebStory } from './web.ts';

const SERVER = 'idle-web';
const SHOWN = 'the list of the new session is shown';

/** A session that ended, with a stream that was listened to before or without. */
const over = (listened = true): WebStory => {
  const story = webHealthy(SERVER);
  return (listened ? story.request('GET', { session: 'one', status: 200 }) : story).ended('one');
};
const heard = (listened = true): WebStory => over(listened).request('GET', { session: 'one', status: 404 });
const listed = (): WebStory => over(false).request('POST', { session: 'one', status: 404, message: { jsonrpc: '2.0', id: 9, method: 'tools/list' } });
const back = (story: WebStory): WebStory => story.began('two').barrier(SHOWN).echoed('two', 'fresh');

/** What the judge must refuse and must let pass. */
export const idleExpiryHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-051/while-idle',
    mustFail: [
      heard().barrier(SHOWN, false).named('told by the stream, and nothing is begun'), listed().barrier(SHOWN, false).named('told by a listing, and nothing is begun'),
      heard().began('two', 'one').barrier(SHOWN, false).named('begun with the name of the old session'), heard().began('two').barrier(SHOWN, false).named('begun, and not listed'),
      heard().began('two').barrier(SHOWN).sent('two', [200], {}, 'fresh').named('a new tool cannot be called'),
    ],
    mustPass: [
      back(heard()).named('told by the stream'), back(listed()).named('told by a listing'),
      back(heard().request('POST', { session: 'one', status: 404, message: { jsonrpc: '2.0', id: 9, method: 'ping' } })).named('and asked once more'),
      back(heard().request('POST', { status: 503, message: { jsonrpc: '2.0', id: 0, method: 'initialize' } })).named('at the second handshake'),
    ],
    mustDoubt: [webHealthy(SERVER).named('no session ended'), heard().began('two').named('nobody looked'), heard().began('two').barrier(SHOWN).named('the new tool was not called')],
  },
];
