/** A server that pings before it answers `initialize`, and in the middle of a listing (CONNECTION-052). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { answerTo, frames, messageOf, received } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, script, STEADY } from '../support/scripts.ts';
import { ask, heldAt } from '../support/steps.ts';
import { answers } from '../wire/server-requests.ts';
import { wrongAnswer } from '../wire/served.ts';

const SERVER = 'eager';
/** What is answered only when the ping in it was, by method: the id of the ping, which names the hold as well. */
const PINGS = { 'initialize': 'ping-in-the-handshake', 'tools/list': 'ping-in-the-listing' } as const;
/** How long the server waits for its pong before it answers all the same, in milliseconds. */
const PONG_BOUND_MS = 2_000;

/** Both are allowed to a server at any time. */
const pinging = (id: string): Action[] => [
  { notify: { method: 'notifications/message', params: { level: 'info', data: 'warming up' } } }, { request: { method: 'ping', id, params: {} } }, { hold: id }, ANSWER,
];

async function exercise(bench: Bench): Promise<void> {
  if (!bench.subject.transports.includes('stdio')) throw new NotApplicable('the subject does not declare the transport stdio');
  const server = bench.serve(SERVER, script(SERVER, [], Object.entries(PINGS).map(([method, id]) => ({ id, when: { method, nth: 1 }, do: pinging(id) })), {
    capabilities: { tools: { listChanged: true }, logging: {} },
  }));
  const letGo = async (): Promise<void> => {
    for (const id of Object.values(PINGS)) {
      if (!(await bench.wire(server, `${id} is sent`, heldAt(id)))) return;
      await bench.wire(server, `pong to ${id}`, awaiting({ replied: id }, (record) => answers(record, id)), { boundMs: PONG_BOUND_MS });
      await server.fixture.release(id);
    }
  };
  // A subject may start its servers, or list, only when somebody looks.
  const opening = bench.open([server]).then(() => ask(bench, SERVER, STEADY));
  await Promise.all([opening, letGo()]);
  await bench.flush();
}

/** The judge of CONNECTION-052. */
export function judgePongs(history: History): Judgement {
  const found = Object.entries(PINGS).map(([method, id]) => judgePong(history, method, id));
  const call = callFor(history, STEADY, SERVER);
  return first(
    found.find((one) => one?.verdict === 'fail'), ...found,
    call === undefined ? uncalled(history, SERVER, STEADY) ?? inconclusive('nothing was called') : undefined,
    call !== undefined && call.outcome !== undefined && !echoed(call) ? fail('a server that pinged at its start cannot be called', placesOf(call)) : undefined,
    echoed(call) ? undefined : inconclusive('not in the history: a healthy call afterwards'),
  ) ?? pass('pings in the handshake and in the listing were answered before these were');
}

function judgePong(history: History, method: string, id: string): Judgement | undefined {
  const ping = frames(history, { server: SERVER, direction: 'server-to-client', method: 'ping' }).find(({ event }) => messageOf(event)['id'] === id);
  const request = received(history, SERVER, method).findLast(({ index }) => index < (ping?.index ?? -1));
  const until = request === undefined ? undefined : answerTo(history, request);
  if (ping === undefined || request === undefined || until === undefined) return inconclusive(`not in the history: a ping within ${method}, and its answer`);
  const pong = frames(history, { server: SERVER, direction: 'client-to-server' }).find((frame) => frame.index > ping.index && answers(frame.event, id));
  if (pong === undefined) return fail(`a ping before the answer to ${method} was never answered`, [request.index, ping.index]);
  if (pong.index > until.index) return fail(`a ping before the answer to ${method} was answered only after it`, [ping.index, until.index, pong.index]);
  return wrongAnswer('ping', messageOf(pong.event), new Set(), [ping.index, pong.index]);
}

/** Checks of pings at the start. */
export const earlyPingChecks: readonly Check[] = [scripted({ id: 'CONNECTION-052/at-the-start', invariant: 'CONNECTION-052', exercise, judge: judgePongs })];
