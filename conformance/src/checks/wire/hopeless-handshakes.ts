/**
 * Handshakes that come to nothing: in a revision nobody knows (WIRE-028), and never answered (WIRE-030).
 */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, isObject, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt } from '../support/facts.ts';
import { onMethod, script } from '../support/scripts.ts';
import { ended, openOne } from '../support/steps.ts';
import { conversationsOf, isRequest, type Conversation } from './conversations.ts';

const SERVER = 'hopeless';
const UNKNOWN_REVISION = '1999-01-01';
const CONNECT_TIMEOUT_MS = 300;
const LEFT = 'the server is left';

/** One life of the server is enough, where the subject can be told so. */
const once = (bench: Bench): Readonly<Record<string, unknown>> => (bench.subject.options.includes('reconnect') ? { reconnect: { enabled: false } } : {});

/** WIRE-028, of every process. */
function judgeUnknown(history: History): Judgement {
  const met = conversationsOf(history).filter((one) => answersIn(one) !== -1);
  const settled = settledSteps(history, 'open')[0];
  const left = barrierOf(history, LEFT);
  const doubted = doubt([met.length > 0, `an answer in the revision ${UNKNOWN_REVISION}`], [settled !== undefined, 'an opening that settled']);
  if (doubted !== undefined) return doubted;
  for (const one of met) {
    const asked = one.said.slice(answersIn(one) + 1).find((said) => isRequest(said) && said.words['method'] !== 'ping');
    if (asked !== undefined) return fail(`a server that answered in the revision ${UNKNOWN_REVISION} got ${String(asked.words['method'])}`, [asked.index]);
  }
  if (left === undefined) return inconclusive('it was not waited for that the server is left');
  return left.event.reached ? pass('the server was asked for nothing more, and left') : fail(`a server that answered in the revision ${UNKNOWN_REVISION} is not left`, [left.index]);
}

/** Where the answer in the unknown revision stands; -1 when there is none. */
function answersIn({ said }: Conversation): number {
  return said.findIndex(({ by, words: { result } }) => by === 'server' && isObject(result) && result['protocolVersion'] === UNKNOWN_REVISION);
}

/** WIRE-030, of every process and session. */
function judgeUncancelled(history: History): Judgement {
  let unanswered = 0;
  for (const { server, said } of conversationsOf(history)) {
    const ids = new Set(said.filter((one) => isRequest(one) && one.words['method'] === 'initialize').map(({ words }) => words['id']));
    const cancel = said.find(({ by, words: { method, params } }) => by === 'client' && method === 'notifications/cancelled' && isObject(params) && ids.has(params['requestId']));
    if (cancel !== undefined) return fail(`initialize to "${server}" was cancelled`, [cancel.index]);
    if (ids.size > 0 && !said.some(({ by, words }) => by === 'server' && ids.has(words['id']))) unanswered += 1;
  }
  return doubt([unanswered > 0, 'a handshake that is never answered'], [settledSteps(history, 'open').length > 0, 'an opening that settled']) ?? pass('a handshake that was never answered was given up, and not cancelled');
}

/** See the invariants. */
export const hopelessHandshakeChecks: readonly Check[] = [
  scripted({
    id: 'WIRE-028/unknown-revision',
    invariant: 'WIRE-028',
    async exercise(bench) {
      const server = await openOne(bench, SERVER, script(SERVER, [], [], { protocolVersion: UNKNOWN_REVISION }), once(bench));
      await bench.wire(server, LEFT, ended);
      await bench.close();
    },
    judge: judgeUnknown,
  }),
  scripted({
    id: 'WIRE-030/never-answered',
    invariant: 'WIRE-030',
    options: ['connectTimeoutMs'],
    async exercise(bench) {
      const server = await openOne(bench, SERVER, script(SERVER, [], [onMethod('initialize', [{ drop: true }])]), { connectTimeoutMs: CONNECT_TIMEOUT_MS, ...once(bench) });
      await bench.wire(server, LEFT, ended);
      await bench.close();
    },
    judge: judgeUncancelled,
  }),
];
