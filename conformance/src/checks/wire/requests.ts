/**
 * How requests are written: their ids (WIRE-027), the lines they are on (WIRE-029), their progress tokens (WIRE-031), and
 * tasks nobody offers (WIRE-032). Each reads any history.
 */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { answerTo, frames, isObject, listings, messageOf, paramsOf, received, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { conversationsOf, isRequest } from './conversations.ts';

const isId = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);

/** WIRE-027, of every process and session. */
export function judgeIds(history: History): Judgement {
  let most = 0;
  for (const { server, said } of conversationsOf(history)) {
    const seen = new Map<unknown, number>();
    for (const { index, words } of said.filter(isRequest)) {
      const { id, method } = words;
      if (!isId(id)) return fail(`${String(method)} to "${server}" has the id ${JSON.stringify(id)}, which is neither text nor integer`, [index]);
      const earlier = seen.get(id);
      if (earlier !== undefined) return fail(`${String(method)} to "${server}" has the id ${JSON.stringify(id)} of an earlier request`, [earlier, index]);
      seen.set(id, index);
    }
    most = Math.max(most, seen.size);
  }
  return most < 2 ? inconclusive('no server got two requests in one connection') : pass(`up to ${most} requests in one connection, each with an id of its own`);
}

/** The revision in which several messages may stand in one line. */
const WITH_BATCHES = '2025-03-26';
/** A trace keeps no more of a line; what was cut cannot be read. */
const KEPT_CHARS = 1_048_576;

/** WIRE-029, of every process. */
export function judgeLines(history: History): Judgement {
  const lines = frames(history, { direction: 'client-to-server' }).filter(({ event }) => event.http === undefined && event.raw.length < KEPT_CHARS);
  const odd = lines.find((line) => !isMessageLine(history, line));
  if (odd !== undefined) return fail(`a line that is no message was written to "${odd.event.server}": ${JSON.stringify(odd.event.raw.slice(0, 80))}`, [odd.index]);
  return lines.length < 3 ? inconclusive('hardly anything was written to a server') : pass(`${lines.length} lines, each one message`);
}

function isMessageLine(history: History, { event }: At<FrameRecord>): boolean {
  if (!Array.isArray(event.message)) return isMessage(event.message);
  const agreed = frames(history, { server: event.server, direction: 'server-to-client' }).some(({ event: { pid, raw } }) => pid === event.pid && raw.includes(WITH_BATCHES));
  return agreed && event.message.length > 0 && event.message.every(isMessage);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (has('method')) return typeof value['method'] === 'string' && (!has('params') || isObject(value['params'])) && !has('result') && !has('error');
  return has('id') && has('result') !== has('error') && isObject(value['result'] ?? value['error']);
}

/** The token under which progress of a request is asked for; `undefined` when it is not. */
function tokenOf(request: At<FrameRecord>): unknown {
  const { _meta: meta } = paramsOf(request.event);
  return isObject(meta) ? meta['progressToken'] : undefined;
}

/** WIRE-031, of every connection. */
export function judgeTokens(history: History): Judgement {
  const asking = frames(history, { direction: 'client-to-server' }).filter((frame) => tokenOf(frame) !== undefined);
  let together = 0;
  let apart = 0;
  for (const [at, request] of asking.entries()) {
    const token = tokenOf(request);
    if (!isId(token)) return fail(`the progress token ${JSON.stringify(token)} is neither text nor integer`, [request.index]);
    for (const earlier of asking.slice(0, at).filter((one) => isOpenAt(history, one, request))) {
      if (!isSameConnection(earlier, request)) {
        apart += 1;
        continue;
      }
      together += 1;
      if (tokenOf(earlier) === token) return fail(`two requests in flight have the progress token ${JSON.stringify(token)}`, [earlier.index, request.index]);
    }
  }
  if (asking.length === 0) return { verdict: 'not-applicable', message: 'the subject asks for no progress' };
  if (together === 0 && apart > 0) return { verdict: 'not-applicable', message: 'requests that are in flight together have a connection each' };
  return together === 0 ? inconclusive('no two requests that ask for progress were in flight together') : pass(`${asking.length} requests asked for progress, each in flight under a token of its own`);
}

/** Whether a request to a server was unanswered, and not given up, when another to it came. */
function isOpenAt(history: History, earlier: At<FrameRecord>, later: At<FrameRecord>): boolean {
  if (earlier.event.server !== later.event.server || (answerTo(history, earlier)?.index ?? Infinity) < later.index) return false;
  return !received(history, earlier.event.server, 'notifications/cancelled').some((notice) =>
    notice.index > earlier.index && notice.index < later.index && isSameConnection(earlier, notice) && paramsOf(notice.event)['requestId'] === messageOf(earlier.event)['id']);
}

function isSameConnection({ event: one }: At<FrameRecord>, { event: other }: At<FrameRecord>): boolean {
  return one.pid === other.pid && one.session === other.session;
}

/** WIRE-032, of every call. */
export function judgeTasks(history: History): Judgement {
  const calls = received(history, undefined, 'tools/call');
  const unasked = calls.find(({ event }) => Object.hasOwn(paramsOf(event), 'task') && !offersTasks(history, event.server, paramsOf(event)['name']));
  if (unasked !== undefined) return fail(`${JSON.stringify(paramsOf(unasked.event)['name'])} was called as a task, which it does not offer`, [unasked.index]);
  return calls.length === 0 ? inconclusive('no call reached a server') : pass(`${calls.length} calls, none as a task that is not offered`);
}

function offersTasks(history: History, server: string, name: unknown): boolean {
  return servesTasks(history, server) && listings(history, server).some(({ tools }) => tools.some((tool) => {
    const execution = isObject(tool) && tool['name'] === name ? tool['execution'] : undefined;
    return isObject(execution) && (execution['taskSupport'] === 'optional' || execution['taskSupport'] === 'required');
  }));
}

/** Whether a server ever declared that calls may be tasks: without that it counts for nothing what its tools say. */
function servesTasks(history: History, server: string): boolean {
  return received(history, server, 'initialize').some((request) => {
    const answer = answerTo(history, request);
    const path = ['result', 'capabilities', 'tasks', 'requests', 'tools', 'call'];
    return answer !== undefined && path.reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), messageOf(answer.event)) !== undefined;
  });
}
