/** Requests of servers and processes, on any case. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { livesOf } from '../../checks/connection/lives.ts';
import { overlap } from '../../checks/connection/outage-facts.ts';
import { judgeHandshakes } from '../../checks/wire/handshake.ts';
import { judgeForms } from '../../checks/wire/message-forms.ts';
import { judgeNegotiated } from '../../checks/wire/negotiated.ts';
import { judgeIds, judgeLines, judgeTasks, judgeTokens } from '../../checks/wire/requests.ts';
import { declaredTo, mayWait, wrongAnswer } from '../../checks/wire/served.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { eventsOf, frames, messageOf, paramsOf, sent, wireRecords, type At } from '../../history/views.ts';
import type { CaseJudge } from './case-judge.ts';

/** Milliseconds within which a request is answered at the latest where nothing hinders it: a server that ends sooner did not wait for it. */
const PROMPT_MS = 1_000;

/** Whether a server ended before an answer was due, or took its request back. */
function isOverBefore(history: History, { index, event }: At<FrameRecord>): boolean {
  const isBack = sent(history, event.server, 'notifications/cancelled').some((notice) =>
    notice.index > index && notice.event.pid === event.pid && paramsOf(notice.event)['requestId'] === messageOf(event)['id']);
  return isBack || wireRecords(history, 'process', event.server).some((record) =>
    record.index > index && record.event.pid === event.pid && record.event.event === 'exit' && record.event.atMs - event.atMs <= PROMPT_MS);
}

function judgeRequests(history: History): Judgement {
  const asked = frames(history, { direction: 'server-to-client' }).filter(({ event }) => {
    const { id, method } = messageOf(event) as { id?: unknown; method?: unknown };
    return id !== undefined && typeof method === 'string';
  });
  let answered = 0;
  for (const { index, event } of asked) {
    const { id, method } = messageOf(event) as { id?: unknown; method?: unknown };
    const answer = frames(history, { direction: 'client-to-server', server: event.server }).find(
      (frame) => frame.index > index && frame.event.pid === event.pid && messageOf(frame.event)['id'] === id && messageOf(frame.event)['method'] === undefined);
    const declared = declaredTo(history, event.server, index);
    if (answer === undefined && (mayWait(String(method), declared) || isOverBefore(history, { index, event }))) continue;
    if (answer === undefined) return fail(`${String(method)} from "${event.server}" was never answered`, [index]);
    const wrong = wrongAnswer(String(method), messageOf(answer.event), declared, [index, answer.index]);
    if (wrong !== undefined) return wrong;
    answered += 1;
  }
  return answered === 0 ? inconclusive('no server asked for anything that was due') : pass(`${answered} requests of servers were answered`);
}

export function judgeNothingLeft(history: History): Judgement {
  const looked = eventsOf(history, 'processes').at(-1);
  if (looked === undefined) return inconclusive('the case does not close the subject');
  const { started, alive } = looked.event;
  if (alive.length > 0) return fail(`${alive.length} of ${started.length} processes are alive after the subject was closed`, [looked.index]);
  return started.length === 0 ? inconclusive('no process was started') : pass(`none of ${started.length} processes is left`);
}

/** A server that is loaded again has a new process, which begins when the old one is gone. */
function judgeReloaded(history: History): Judgement {
  const reloaded = eventsOf(history, 'request').filter(({ event }) => event.step === 'reload').flatMap(({ event }) => event.servers.map(({ name }) => name));
  if (reloaded.length === 0) return inconclusive('nothing was reloaded');
  for (const server of new Set(reloaded)) {
    const lives = livesOf(history, server);
    if (lives.length < 2) return fail(`no new process of "${server}" was started`, [history.length - 1]);
    const both = overlap(lives);
    if (both !== undefined) return fail(`the new process of "${server}" began while the old one lived`, [both.life.lastSign.index, both.next.start.index]);
  }
  return pass('every reloaded server has a new process, and the old one was gone before');
}

/** By invariant. */
export const processJudges: Readonly<Record<string, CaseJudge>> = {
  'WIRE-002': judgeRequests, 'WIRE-026': judgeHandshakes, 'WIRE-027': judgeIds, 'WIRE-029': judgeLines, 'WIRE-031': judgeTokens, 'WIRE-032': judgeTasks, 'WIRE-047': judgeForms, 'WIRE-049': judgeNegotiated,
  'ISOLATION-003': judgeNothingLeft, 'HOST-003': judgeReloaded,
};
