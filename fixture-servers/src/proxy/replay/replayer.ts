/** Answers a client from recorded conversations. Names no carrier: what it sends goes through `ReplayOutput`. */
import {
  errorText, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, isJsonObject, jsonText, member, METHOD_NOT_FOUND, PARSE_ERROR, resultText, type JsonObject, type Parsed,
} from '../../jsonrpc/message.ts';
import type { Conversations } from '../../trace/conversation/load.ts';
import type { Deed } from '../../trace/conversation/model.ts';
import { splice } from '../../trace/conversation/splice.ts';
import { describe, indexTurns, type Taken } from './answers.ts';

/**
 * The pause after a notification in a turn, in milliseconds: clients that read it together with the answer may drop it,
 * and in the recording they had time.
 */
const PACE_MS = 5;
/** How many turns may wait for answers of the client at once. */
const MAX_WAITING = 10_000;
/** How many different complaints are kept for the end. */
const MAX_COMPLAINTS = 100;

/** What a turn leads to, on its carrier. `turn` names the exchange it belongs to. */
export interface ReplayOutput<Exchange> {
  /** A message for the client. `answers`: it is the answer to the request of the exchange. */
  send(text: string, exchange: Exchange, answers: boolean): void;
  /** Bytes that are no message; `ended`: with a line end. */
  raw(text: string, ended: boolean, exchange: Exchange): void;
  stderr(text: string): void;
  /** The process ends as it did. */
  end(how: { readonly code: number | undefined; readonly signal: string | undefined }): void;
  /** Something the person who replays should read. */
  complain(text: string): void;
}

/** A client that is answered. */
export interface Replayer<Exchange> {
  start(exchange: Exchange): void;
  message(parsed: Parsed, exchange: Exchange): void;
  inputEnd(exchange: Exchange): void;
  /** Resolves when no turn is in one of its short pauses. */
  idle(): Promise<void>;
  /** What was asked and could not be answered, one line each; empty when the trace had everything. */
  complaints(): readonly string[];
}

/** Who is answered: the id and progress token of the live request, and recorded ids of our requests with the live ones. */
interface Live {
  readonly id: unknown;
  readonly token: unknown;
  readonly ids: Map<string, string>;
}

/** Replays the `incarnation`-th life, from 1 (the last one when there are fewer); what it lacks is looked for in the others. */
export function createReplayer<Exchange>({ lives }: Conversations, incarnation: number, output: ReplayOutput<Exchange>): Replayer<Exchange> {
  const own = lives[Math.min(incarnation, lives.length) - 1] ?? lives[0];
  const turns = indexTurns([own]);
  const others = indexTurns(lives.filter((life) => life !== own));
  const waiting = new Map<string, () => void>();
  const complaints = new Map<string, number>();
  let nextRequest = 1;
  let pausing = 0;
  let onIdle: (() => void)[] = [];

  const pause = (goOn: () => void): void => {
    pausing += 1;
    setTimeout(() => {
      goOn();
      pausing -= 1;
      if (pausing > 0) return;
      const callbacks = onIdle;
      onIdle = [];
      for (const callback of callbacks) callback();
    }, PACE_MS);
  };
  const complain = (text: string): void => {
    const count = complaints.get(text) ?? 0;
    if (count === 0) output.complain(text);
    if (count > 0 || complaints.size < MAX_COMPLAINTS) complaints.set(text, count + 1);
  };
  /** Does what the server did in a turn, up to where it waited for the client. */
  const perform = ({ turn, again }: Taken, from: number, live: Live, exchange: Exchange): void => {
    for (let at = from; at < turn.deeds.length; at += 1) {
      const deed = turn.deeds[at];
      if (deed === undefined) return;
      if (again && isListChange(deed)) continue;
      if (deed.kind === 'await') {
        const key = live.ids.get(jsonText(deed.id));
        if (key !== undefined && waiting.has(key)) {
          waiting.set(key, () => perform({ turn, again }, at + 1, live, exchange));
          return;
        }
      } else if (deed.kind === 'request') request(deed, live.ids, exchange);
      else doDeed(deed, live, exchange, output);
      if ((deed.kind === 'say' || deed.kind === 'progress') && at + 1 < turn.deeds.length) {
        pause(() => perform({ turn, again }, at + 1, live, exchange));
        return;
      }
    }
  };
  /** Under its own id, unless a request of that id is still open. */
  const request = (deed: Extract<Deed, { kind: 'request' }>, ids: Map<string, string>, exchange: Exchange): void => {
    let key = jsonText(deed.id);
    if (waiting.has(key)) {
      key = JSON.stringify(`replay-${nextRequest}`);
      nextRequest += 1;
    }
    ids.set(jsonText(deed.id), key);
    if (waiting.size < MAX_WAITING) waiting.set(key, nothing);
    output.send(splice(deed.raw, ['id'], key), exchange, false);
  };
  const answerRequest = (message: JsonObject, method: string, exchange: Exchange): void => {
    const id = message['id'];
    const params = member(message, 'params');
    const taken = turns.take('request', method, params) ?? others.take('request', method, params);
    if (taken === undefined) {
      if (method === 'ping') output.send(resultText(id, '{}'), exchange, true);
      else refuse(id, method, params, exchange);
      return;
    }
    const { turn } = taken;
    perform(taken, 0, { id, token: tokenOf(params), ids: new Map() }, exchange);
    if (turn.deeds.some((deed) => deed.kind === 'answer' || deed.kind === 'end')) return;
    const what = describe(method, params);
    const cut = turn.deeds.find((deed) => deed.kind === 'cut');
    if (cut !== undefined || own.incomplete) {
      const reason = cut === undefined ? 'the trace stops or has a cut frame before its answer' : `the trace kept only the beginning of its answer of ${cut.bytes} bytes`;
      complain(`${what}: ${reason} (line ${turn.line})`);
      output.send(errorText(id, INTERNAL_ERROR, `Replay: ${reason}`), exchange, true);
    } else complain(`${what}: never answered in the trace (line ${turn.line}), nor now`);
  };
  const refuse = (id: unknown, method: string, params: unknown, exchange: Exchange): void => {
    const mine = turns.nearest(method, params);
    const { text, methodKnown } = mine.methodKnown || mine.text !== '' ? mine : others.nearest(method, params);
    const nearest = text === '' ? '' : `; nearest: ${text}`;
    complain(`not in the trace: ${describe(method, params)}${nearest}`);
    const what = methodKnown ? `Replay: the trace has no such ${method.slice(0, 100)}` : `Method not found: ${method.slice(0, 100)} (not in the trace)`;
    output.send(errorText(id, methodKnown ? INVALID_PARAMS : METHOD_NOT_FOUND, `${what}${nearest}`), exchange, true);
  };
  const one = (message: unknown, exchange: Exchange): void => {
    if (!isJsonObject(message)) {
      output.send(errorText(null, INVALID_REQUEST, 'Invalid request'), exchange, true);
      return;
    }
    const method = member(message, 'method');
    if (typeof method !== 'string') {
      const key = jsonText(message['id']);
      const resume = waiting.get(key);
      waiting.delete(key);
      resume?.();
    } else if (Object.hasOwn(message, 'id')) answerRequest(message, method, exchange);
    else {
      const taken = turns.take('notification', method, member(message, 'params'));
      if (taken !== undefined) perform(taken, 0, { id: undefined, token: undefined, ids: new Map() }, exchange);
    }
  };

  return {
    start: (exchange) => {
      const [first] = own.turns;
      if (first !== undefined) perform({ turn: first, again: false }, 0, { id: undefined, token: undefined, ids: new Map() }, exchange);
    },
    message(parsed, exchange) {
      try {
        if (!parsed.ok) output.send(errorText(null, PARSE_ERROR, 'Parse error'), exchange, true);
        else if (Array.isArray(parsed.value)) parsed.value.slice(0, 1000).forEach((each: unknown) => one(each, exchange));
        else one(parsed.value, exchange);
      } catch (error) {
        // JSON can be parsed deeper than it can be walked.
        if (!(error instanceof RangeError)) throw error;
        output.send(errorText(null, INVALID_REQUEST, 'Invalid request: nested too deeply'), exchange, true);
      }
    },
    inputEnd(exchange) {
      const taken = turns.take('input-end', '', undefined);
      if (taken !== undefined) perform(taken, 0, { id: undefined, token: undefined, ids: new Map() }, exchange);
    },
    idle: () => (pausing === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    complaints: () => [...complaints].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
  };
}

function doDeed<Exchange>(
  deed: Exclude<Deed, { kind: 'await' | 'request' }>, live: { readonly id: unknown; readonly token: unknown }, exchange: Exchange, output: ReplayOutput<Exchange>,
): void {
  switch (deed.kind) {
    case 'answer':
      output.send(splice(deed.raw, ['id'], jsonText(live.id)), exchange, true);
      return;
    case 'progress':
      // Without a token the client asked for none.
      if (live.token !== undefined) output.send(splice(deed.raw, ['params', 'progressToken'], jsonText(live.token)), exchange, false);
      return;
    case 'say':
      if (isJsonObject(deed.message) && deed.ended) output.send(deed.raw, exchange, false);
      else output.raw(deed.raw, deed.ended, exchange);
      return;
    case 'stderr':
      output.stderr(deed.text);
      return;
    case 'end':
      output.end(deed);
      return;
    case 'cut':
  }
}

/** Said again at each repeat, it would keep a client listing for ever. */
function isListChange(deed: Deed): boolean {
  const method = deed.kind === 'say' && isJsonObject(deed.message) ? member(deed.message, 'method') : undefined;
  return typeof method === 'string' && method.endsWith('/list_changed');
}

function tokenOf(params: unknown): unknown {
  const meta = isJsonObject(params) ? member(params, '_meta') : undefined;
  return isJsonObject(meta) ? member(meta, 'progressToken') : undefined;
}

function nothing(): void {
  // The client has answered a request that nothing waited for.
}
