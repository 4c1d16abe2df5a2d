/** Builds the conversation of a trace: each thing the server did is put to what it most likely followed from. */
import { isJsonObject, jsonText, member, parseMessage, type JsonObject } from '../../jsonrpc/message.ts';
import type { FrameRecord, TraceRecord } from '../schema.ts';
import type { Life, Turn } from './model.ts';
import { findMember } from './splice.ts';

/** A line end and a byte order mark, in bytes: a frame that has more than this beyond its text was cut. */
const MAX_FRAMING_BYTES = 5;

/** The first status of HTTP that refuses. */
const FIRST_ERROR_STATUS = 400;

/** Gathers a life from its records, in order. */
export interface LifeBuilder {
  readonly life: Life;
  /** `line`: where the record stands in the trace. */
  add(record: TraceRecord, line: number): void;
}

/** Starts a life. */
export function createLifeBuilder(server: string, carrier: Life['carrier']): LifeBuilder {
  const start: Turn = { kind: 'start', method: '', params: undefined, id: undefined, line: 1, deeds: [], cancelled: false };
  const life: Life = { server, carrier, turns: [start], incomplete: false };
  /** By id: open requests, and answered ones, of the client. */
  const open = new Map<string, Turn>();
  const answered = new Map<string, Turn>();
  /** By id: which turn a request of the server belongs to. */
  const asked = new Map<string, Turn>();
  const byToken = new Map<string, Turn>();
  let last = start;
  let clientLeft = false;

  const turn = (kind: Turn['kind'], line: number, method = '', params?: unknown, id?: unknown): Turn => {
    last = { kind, method, params, id, line, deeds: [], cancelled: false };
    life.turns.push(last);
    return last;
  };
  const fromClient = (message: JsonObject, line: number): void => {
    const method = member(message, 'method');
    const params = member(message, 'params');
    const id = member(message, 'id');
    if (typeof method !== 'string') {
      const owner = asked.get(jsonText(id));
      if (owner === undefined) return;
      asked.delete(jsonText(id));
      owner.deeds.push({ kind: 'await', id });
      last = owner;
    } else if (!Object.hasOwn(message, 'id')) {
      if (method === 'notifications/cancelled' && isJsonObject(params)) {
        const target = open.get(jsonText(member(params, 'requestId')));
        if (target !== undefined) target.cancelled = true;
      }
      turn('notification', line, method, params);
    } else {
      const request = turn('request', line, method, params, id);
      open.set(jsonText(id), request);
      const meta = isJsonObject(params) ? member(params, '_meta') : undefined;
      const token = isJsonObject(meta) ? member(meta, 'progressToken') : undefined;
      if (token !== undefined) byToken.set(jsonText(token), request);
    }
  };
  const fromServer = (message: unknown, raw: string, ended: boolean): void => {
    if (!isJsonObject(message)) {
      last.deeds.push({ kind: 'say', raw, message, ended });
      return;
    }
    const method = member(message, 'method');
    const id = member(message, 'id');
    if (typeof method === 'string' && Object.hasOwn(message, 'id')) {
      last.deeds.push({ kind: 'request', raw, message, id });
      asked.set(jsonText(id), last);
    } else if (typeof method === 'string') {
      const params = member(message, 'params');
      const owner = method === 'notifications/progress' && isJsonObject(params) ? byToken.get(jsonText(member(params, 'progressToken'))) : undefined;
      if (owner === undefined) last.deeds.push({ kind: 'say', raw, message, ended });
      else owner.deeds.push({ kind: 'progress', raw, message });
    } else {
      const key = jsonText(id);
      const owner = open.get(key) ?? answered.get(key);
      if (owner === undefined) {
        last.deeds.push({ kind: 'say', raw, message, ended });
        return;
      }
      open.delete(key);
      answered.set(key, owner);
      owner.deeds.push({ kind: 'answer', raw, message });
      last = owner;
    }
  };
  const cut = (record: FrameRecord): void => {
    life.incomplete = true;
    const span = findMember(record.raw, ['id']);
    const key = span === undefined ? undefined : canonicalId(record.raw.slice(span.from, span.to));
    const owner = key === undefined ? undefined : open.get(key);
    if (owner === undefined || key === undefined) return;
    open.delete(key);
    owner.deeds.push({ kind: 'cut', bytes: record.bytes });
  };
  const frame = (record: FrameRecord, line: number): void => {
    if (record.raw === '' && record.http !== undefined) return;
    if ((record.http?.status ?? 0) >= FIRST_ERROR_STATUS) {
      // HTTP refused what MCP asked: no message of the conversation.
      life.incomplete = true;
      return;
    }
    const framing = record.bytes - Buffer.byteLength(record.raw);
    const parsed = parseMessage(record.raw);
    if (!parsed.ok && framing > MAX_FRAMING_BYTES) {
      if (record.direction === 'server-to-client') cut(record);
      else life.incomplete = true;
      return;
    }
    const batch = parsed.ok && Array.isArray(parsed.value) ? parsed.value.map((each: unknown) => ({ value: each, raw: jsonText(each) })) : undefined;
    for (const { value, raw } of batch ?? [{ value: parsed.ok ? parsed.value : undefined, raw: record.raw }]) {
      if (record.direction === 'server-to-client') fromServer(value, raw, framing > 0 || record.carrier !== 'stdio');
      else if (isJsonObject(value)) fromClient(value, line);
    }
  };

  return {
    life,
    add(record, line) {
      if (record.kind === 'frame') frame(record, line);
      else if (record.kind === 'process') {
        if (record.event === 'stderr') last.deeds.push({ kind: 'stderr', text: record.text ?? '' });
        else if (record.event === 'note' && record.signal === undefined) life.incomplete = true;
        else if (record.event === 'note') clientLeft = true;
        else if (record.event === 'input-end') {
          clientLeft = true;
          turn('input-end', line);
        } else if (record.event === 'exit') {
          // What the client brought about by leaving is no deed of the server, but for its exit code.
          const byItself = !clientLeft || (record.code !== undefined && record.code !== 0);
          if (byItself) last.deeds.push({ kind: 'end', code: record.code, signal: record.signal });
        }
      }
    },
  };
}

function canonicalId(json: string): string | undefined {
  const parsed = parseMessage(json);
  return parsed.ok ? jsonText(parsed.value) : undefined;
}
