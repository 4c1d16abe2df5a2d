/** Which answer belongs to which request, in bounded memory. */
import { isJsonObject, member, type JsonObject } from '../jsonrpc/message.ts';
import { createLifeKeys } from './life-keys.ts';
import type { FrameRecord, TraceRecord } from './schema.ts';
import { printable, shortJson } from './printable.ts';

/** How many open requests, and how many answered ids, are remembered: a trace of any length is drawn in bounded memory. */
const MAX_REMEMBERED = 10_000;
/** How many findings are kept whole; beyond they are counted. */
const MAX_FINDINGS = 100;

/** A request that was seen. */
export interface Asked {
  readonly name: string;
  readonly atMs: number;
  cancelled: boolean;
}

/** Pairs the messages of a trace. */
export interface Pairing {
  /** Notes a record that is no message: over HTTP it may be the first to name the session. */
  see(record: TraceRecord): void;
  /** Notes a message, and says what it is in a few words, and which request it answers. */
  note(frame: FrameRecord, message: JsonObject): { readonly label: string; readonly kind: 'request' | 'notification' | 'result' | 'error' | 'odd'; readonly asked: Asked | undefined };
  /** What was never answered, answered twice, or answered with an unknown id; one line each. */
  findings(): string[];
}

/** Makes an empty pairing. */
export function createPairing(): Pairing {
  const open = new Map<string, Asked & { readonly shown: string }>();
  const answered = new Map<string, string>();
  const odd: string[] = [];
  let oddCount = 0;
  let forgotten = 0;
  const lifeOf = createLifeKeys();
  const keyOf = (frame: FrameRecord, asker: FrameRecord['direction'], id: unknown): string => `${lifeOf(frame)}\u0000${asker}\u0000${shortJson(id)}`;

  const find = (text: string): void => {
    oddCount += 1;
    if (odd.length < MAX_FINDINGS) odd.push(text);
  };
  const request = (frame: FrameRecord, message: JsonObject, name: string): void => {
    const key = keyOf(frame, frame.direction, message['id']);
    const shown = `${who(frame)}${name} ${idOf(message['id'])}`;
    if (open.has(key)) find(`asked twice with one id while the first was open: ${shown}`);
    answered.delete(key);
    if (remember(open, key, { name, atMs: frame.atMs, cancelled: false, shown })) forgotten += 1;
  };
  const answer = (frame: FrameRecord, message: JsonObject): Asked | undefined => {
    const asker = frame.direction === 'client-to-server' ? 'server-to-client' : 'client-to-server';
    const key = keyOf(frame, asker, message['id']);
    const asked = open.get(key);
    if (asked !== undefined) {
      open.delete(key);
      remember(answered, key, asked.shown);
      return asked;
    }
    const before = answered.get(key);
    if (before !== undefined) find(`answered twice: ${before}`);
    else if (message['id'] !== null && forgotten === 0) find(`answered with an unknown id: ${who(frame)}${idOf(message['id'])}`);
    return undefined;
  };
  const cancel = (frame: FrameRecord, message: JsonObject): void => {
    const params = message['params'];
    const asked = isJsonObject(params) ? open.get(keyOf(frame, frame.direction, params['requestId'])) : undefined;
    if (asked !== undefined) asked.cancelled = true;
  };

  return {
    see: (record) => void lifeOf(record),
    note(frame, message) {
      const method = member(message, 'method');
      if (typeof method === 'string') {
        const name = nameOf(method, member(message, 'params'));
        if (!Object.hasOwn(message, 'id')) {
          if (method === 'notifications/cancelled') cancel(frame, message);
          return { label: name, kind: 'notification', asked: undefined };
        }
        request(frame, message, name);
        return { label: `${name} ${idOf(message['id'])}`, kind: 'request', asked: undefined };
      }
      const hasError = Object.hasOwn(message, 'error');
      if (!Object.hasOwn(message, 'id') || (!hasError && !Object.hasOwn(message, 'result'))) {
        return { label: `no JSON-RPC message: ${printable(shortJson(message))}`, kind: 'odd', asked: undefined };
      }
      const asked = answer(frame, message);
      const to = asked === undefined ? '' : ` ${asked.name}`;
      if (!hasError) return { label: `${idOf(message['id'])} result${to}`, kind: 'result', asked };
      return { label: `${idOf(message['id'])} error${to}: ${errorOf(message['error'])}`, kind: 'error', asked };
    },
    findings() {
      const lines = [...odd];
      if (oddCount > odd.length) lines.push(`and ${oddCount - odd.length} more of these`);
      let unanswered = 0;
      for (const asked of open.values()) {
        unanswered += 1;
        if (unanswered <= MAX_FINDINGS) lines.push(`never answered${asked.cancelled ? ', but cancelled' : ''}: ${asked.shown}`);
      }
      if (unanswered > MAX_FINDINGS) lines.push(`and ${unanswered - MAX_FINDINGS} more that were never answered`);
      if (forgotten > 0) lines.push(`${forgotten} requests were left open while ${MAX_REMEMBERED} later ones came, and were not followed`);
      return lines;
    },
  };
}

function who(frame: FrameRecord): string {
  const asker = frame.direction === 'server-to-client' ? ' from the server' : '';
  return frame.server === 'server' && asker === '' ? '' : `${printable(frame.server, 64)}${asker}: `;
}

function idOf(id: unknown): string {
  return `#${printable(shortJson(id), 40)}`;
}

/** A method, and what is called or read by it. */
function nameOf(method: string, params: unknown): string {
  const subject = isJsonObject(params) ? (member(params, 'name') ?? member(params, 'uri') ?? member(params, 'cursor')) : undefined;
  return printable(typeof subject === 'string' ? `${method} ${subject}` : method, 200);
}

function errorOf(error: unknown): string {
  if (!isJsonObject(error)) return printable(shortJson(error), 200);
  return printable(`${shortJson(error['code'])} ${typeof error['message'] === 'string' ? error['message'] : shortJson(error['message'])}`, 200);
}

/** Adds an entry; at the bound the oldest makes room. @returns whether one did */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): boolean {
  map.set(key, value);
  const oldest = map.size > MAX_REMEMBERED ? map.keys().next() : undefined;
  return oldest?.done === false && map.delete(oldest.value);
}
