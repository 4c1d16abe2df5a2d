/** Pings of a server that has not answered yet. */
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

const SERVER = 'eager';
const pong = { result: {} };

/** One request with a ping in it; when the pong comes, `never` included. */
function pinged(builder: HistoryBuilder, method: string, ping: string, when: 'before' | 'after' | 'never', answer: object = pong): HistoryBuilder {
  const id = builder.nextId();
  const answered = (): unknown => builder.received(SERVER, { jsonrpc: '2.0', id: ping, ...answer });
  builder.received(SERVER, { jsonrpc: '2.0', id, method }).sent(SERVER, { jsonrpc: '2.0', id: ping, method: 'ping', params: {} });
  if (when === 'before') answered();
  builder.sent(SERVER, { jsonrpc: '2.0', id, result: {} });
  if (when === 'after') answered();
  return builder;
}

const begun = (handshake: 'before' | 'after' | 'never' = 'before', listing: 'before' | 'after' | 'never' = 'before', answer: object = pong): HistoryBuilder =>
  pinged(pinged(history(), 'initialize', 'ping-in-the-handshake', handshake), 'tools/list', 'ping-in-the-listing', listing, answer).step('open', [SERVER]);

/** What this judge must refuse and must let pass. */
export const earlyPingHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-052/at-the-start',
    mustFail: [
      echo(begun('never'), SERVER, 'steady').named('the ping in the handshake was never answered'),
      echo(begun('before', 'after'), SERVER, 'steady').named('the ping in the listing waited for the list'),
      echo(begun('before', 'before', { error: { code: -32601, message: 'no' } }), SERVER, 'steady').named('a ping is refused'),
      begun().call('p_steady', SERVER, 'steady', 'steady', { outcome: 'failed' }).named('the server cannot be called'),
    ],
    mustPass: [
      echo(begun(), SERVER, 'steady').named('answered at once'),
      echo(begun('before', 'before', { result: { _meta: { at: 1 } } }).log('info', 'warming up', SERVER), SERVER, 'steady').named('with a remark beside it'),
    ],
    mustDoubt: [
      history().step('open', [SERVER]).named('nothing was asked'),
      echo(pinged(history(), 'initialize', 'ping-in-the-handshake', 'before'), SERVER, 'steady').named('no ping in a listing'),
      begun().named('nothing was called'),
    ],
  },
];
