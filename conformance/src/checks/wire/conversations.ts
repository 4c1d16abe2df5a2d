/**
 * What a client and one life of a server said to each other: over stdio a process, over HTTP a session. Pure.
 */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { frames, isObject, messageOf, type At } from '../../history/views.ts';

/** A message that is a JSON object. */
export type Words = Readonly<Record<string, unknown>>;

/** One message, or a frame that holds none that can be read. */
export interface Said {
  readonly index: number;
  readonly by: 'client' | 'server';
  /** `{}` where the frame holds no JSON object. */
  readonly words: Words;
}

/** Everything that was said in one process or session, in order. */
export interface Conversation {
  readonly server: string;
  /** Process id of the server. */
  readonly pid: number;
  readonly said: readonly Said[];
}

/** First words of a client of another era: a method of its own, or a revision with each request. */
const PROBE_METHOD = 'server/discover';
const ERA_MARK = 'io.modelcontextprotocol/protocolVersion';

/** Whether these words belong to an era that knows no handshake: a client may try them first. */
export function isOfAnotherEra({ method, params }: Words): boolean {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return method === PROBE_METHOD || (isObject(meta) && Object.hasOwn(meta, ERA_MARK));
}

/**
 * Every conversation in a history, in the order in which they began. Over HTTP a request that names a session which is over
 * belongs to none, and where a server gives out no sessions each `initialize` begins another.
 */
export function conversationsOf(history: History): Conversation[] {
  const all = frames(history);
  const sessions = sessionsByExchange(all);
  const open = new Map<string, { readonly server: string; readonly pid: number; readonly said: Said[] }>();
  const found: { readonly server: string; readonly pid: number; readonly said: Said[] }[] = [];
  for (const { index, event } of all) {
    if (event.raw === '' && event.http !== undefined) continue;
    const key = keyOf(event, sessions);
    if (key === undefined) continue;
    const by = event.direction === 'client-to-server' ? 'client' : 'server';
    const begins = event.http !== undefined && by === 'client' && messageOf(event)['method'] === 'initialize';
    const known = begins ? undefined : open.get(key) ?? adopted(open, event, key);
    const conversation = known ?? { server: event.server, pid: event.pid, said: [] };
    if (known === undefined) {
      open.set(key, conversation);
      found.push(conversation);
    }
    // A batch, which one revision has, is several messages.
    const batch = Array.isArray(event.message) ? event.message.filter(isObject) : [messageOf(event)];
    conversation.said.push(...batch.map((words) => ({ index, by, words }) as const));
  }
  return found;
}

/** A recorder keeps no exchanges: the first answer in a session belongs to the request that had none. */
function adopted<T extends { readonly said: readonly Said[] }>(open: Map<string, T>, { server, pid, http, session, direction }: FrameRecord, key: string): T | undefined {
  const nameless = JSON.stringify([server, pid, null]);
  const begun = session !== undefined && http?.exchange === undefined && direction === 'server-to-client' ? open.get(nameless) : undefined;
  if (begun === undefined) return undefined;
  open.delete(nameless);
  open.set(key, begun);
  return begun;
}

/** The answer to `initialize` names the session that its request could not name yet. */
function sessionsByExchange(all: readonly At<FrameRecord>[]): ReadonlyMap<string, string> {
  return new Map(all.flatMap(({ event }) => {
    const exchange = exchangeOf(event);
    return exchange === undefined || event.session === undefined ? [] : [[exchange, event.session] as const];
  }));
}

function exchangeOf({ server, pid, http }: FrameRecord): string | undefined {
  return http?.exchange === undefined ? undefined : JSON.stringify([server, pid, http.exchange]);
}

function keyOf(frame: FrameRecord, sessions: ReadonlyMap<string, string>): string | undefined {
  if (frame.http === undefined) return JSON.stringify([frame.server, frame.pid]);
  const session = frame.session ?? sessions.get(exchangeOf(frame) ?? '');
  const isOver = session === undefined && frame.http.requestHeaders?.['mcp-session-id'] !== undefined;
  return isOver ? undefined : JSON.stringify([frame.server, frame.pid, session ?? null]);
}

/** Whether a client's message is a request. */
export function isRequest({ words, by }: Said): boolean {
  return by === 'client' && typeof words['method'] === 'string' && Object.hasOwn(words, 'id');
}
