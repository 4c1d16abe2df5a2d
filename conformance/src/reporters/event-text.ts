/**
 * One event of a history as one short line.
 */
import { stringify } from 'fast-check';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { HistoryEvent } from '../history/schema.ts';
import { isObject } from '../history/wire-views.ts';
import { spelled } from './printable.ts';

/** Characters of one line; a payload is cut, since the saved history holds it whole. */
const MAX_LINE = 180;

/** What happened, without its time. */
export function eventText(event: HistoryEvent): string {
  return short(describe(event));
}

function describe(event: HistoryEvent): string {
  switch (event.kind) {
    case 'wire': return recordText(event.record);
    case 'subject': return `subject   ${event.description.name} ${event.description.version}`;
    case 'run': return `input     ${json(event.input)}`;
    case 'program': return `script    ${event.server}: ${json(event.scenario)}`;
    case 'truth': return `truth     ${event.server} lists ${namesOf(event.tools)}`;
    case 'request': return `ask       ${event.step} ${event.servers.map((server) => server.name).join(', ')}`;
    case 'settled': return `answer    ${event.step}: ${event.error ?? event.servers.map(serverText).join(', ')}`;
    case 'registry': return `registry  ${event.cause} #${event.revision}: ${namesOf(event.tools)}`;
    case 'call': return `ask       call ${event.request.callId} of ${json(event.request.name)} with ${json(event.request.arguments)}`;
    case 'outcome': return `answer    ${event.callId}: ${event.reply.outcome} ${json(event.reply.message ?? event.reply.view)}`;
    case 'cancel': return `ask       cancel ${event.callId}`;
    case 'log': return `log       ${event.level}${event.server === undefined ? '' : ` [${event.server}]`} ${event.message}`;
    case 'host-event': return `host      ${event.event} ${json(event.detail)}`;
    case 'barrier': return event.reached ? `barrier   ${event.what}` : `silence   ${event.what}: not within ${event.boundMs} ms`;
    case 'control': return `control   ${event.server}: ${event.release === undefined ? (event.signal === undefined ? json(event.do) : `signal ${event.signal}`) : `release ${event.release}`}`;
    case 'host': return `ask       host ${json(event.gate ?? event.change)}`;
    case 'state': return `state     ${event.moment}: ${event.servers.map(({ name, state, tools }) => `${name} ${state}, ${tools} tools`).join('; ')}`;
    case 'processes': return `processes started ${event.started.join(' ') || 'none'}; still alive: ${event.alive.join(' ') || 'none'}`;
    case 'environment': return `env       ${event.server}: ${json(event.values)}`;
    case 'trouble': return `trouble   ${event.message}`;
    default: return unknownKind(event);
  }
}

function recordText(record: TraceRecord): string {
  const who = record.incarnation > 1 ? `${record.server}#${record.incarnation}` : record.server;
  switch (record.kind) {
    case 'frame': return `${record.direction === 'client-to-server' ? '-->' : '<--'}       ${who} ${frameText(record.message, record.raw)}`;
    case 'fault': return `fault     ${who} rule ${record.rule}: ${record.action}`;
    case 'hold': return `hold      ${who} ${record.hold} ${record.event}`;
    case 'process': return `process   ${who} ${record.pid} ${record.event} ${record.signal ?? record.code ?? record.childPid ?? ''}`.trimEnd();
    default: return unknownKind(record);
  }
}

/** A saved history of a later version may hold what this one does not know; the types say that this one's cannot. */
function unknownKind(event: never): string {
  return `unknown   ${json(event)}`;
}

function frameText(message: unknown, raw: string): string {
  if (!isObject(message)) return json(raw);
  const id = message['id'] === undefined ? '' : ` id ${json(message['id'])}`;
  if (typeof message['method'] === 'string') return `${message['method']}${id} ${json(message['params'])}`;
  if (message['error'] !== undefined) return `error${id} ${json(message['error'])}`;
  return `result${id} ${json(message['result'])}`;
}

function serverText(server: { readonly name: string; readonly status: string; readonly message?: string | undefined }): string {
  return server.message === undefined ? `${server.name} ${server.status}` : `${server.name} ${server.status} (${server.message})`;
}

function namesOf(tools: readonly unknown[]): string {
  const names = tools.map((tool) => (isObject(tool) ? json(tool['name']) : json(tool)));
  return names.length === 0 ? 'no tools' : `${names.length} tools ${names.join(' ')}`;
}

/** An input of a property may hold what is no JSON, such as a big integer. */
function json(value: unknown): string {
  if (value === undefined) return '';
  try {
    return JSON.stringify(value);
  } catch {
    return stringify(value);
  }
}

function short(text: string): string {
  // More than is shown: what is spelled out only grows.
  const line = spelled(text.slice(0, 4 * MAX_LINE).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '));
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
