/**
 * The handshake comes first, and is whole (WIRE-026). Reads any history.
 */
import type { History } from '../../history/schema.ts';
import { isObject } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { conversationsOf, isOfAnotherEra, isRequest, type Conversation, type Said, type Words } from './conversations.ts';

const INITIALIZED = 'notifications/initialized';

/** What may be said at any time: a ping, and that a request is given up. */
const ANY_TIME: readonly unknown[] = ['ping', 'notifications/cancelled'];

/**
 * Milliseconds by which the end of the handshake may come after what follows it: over HTTP each has a connection of its own,
 * and one may pass the other on the way.
 */
const PASSING_MS = 100;

/** WIRE-026, of every process and session. */
export function judgeHandshakes(history: History): Judgement {
  const used = conversationsOf(history).filter(({ said }) => said.some((one) => one.by === 'client' && isWork(one.words)));
  for (const conversation of used) {
    const wrong = wrongIn(history, conversation);
    if (wrong !== undefined) return wrong;
  }
  return used.length === 0 ? inconclusive('no server was asked for anything but a handshake') : pass(`${used.length} handshakes came first, and were whole`);
}

/** Whether a client asks for something, or tells something, that needs a handshake before it. */
function isWork(words: Words): boolean {
  const { method } = words;
  return typeof method === 'string' && method !== 'initialize' && method !== INITIALIZED && !ANY_TIME.includes(method) && !isOfAnotherEra(words);
}

function wrongIn(history: History, { server, said }: Conversation): Judgement | undefined {
  let asked: Said | undefined;
  let isAnswered = false;
  let isOver = false;
  for (const one of said) {
    const { by, words, index } = one;
    if (by === 'server') {
      isAnswered ||= asked !== undefined && mayAnswer(words, asked.words['id']);
      continue;
    }
    const { method } = words;
    if (method === 'initialize' && isRequest(one)) {
      const lacking = lackingIn(words);
      if (lacking !== undefined) return fail(`initialize to "${server}" has no ${lacking}`, [index]);
      asked = one;
    } else if (method === INITIALIZED) {
      if (!isAnswered) return fail(`"${server}" was told that it is initialized before it had answered initialize`, [index]);
      isOver = true;
    } else if (isWork(words) && !isOver && !(isAnswered && isPassed(history, said, one))) {
      const due = asked === undefined ? 'initialize' : isAnswered ? INITIALIZED : 'the answer to initialize';
      return fail(`"${server}" got ${String(method)} before ${due}`, [...(asked === undefined ? [] : [asked.index]), index]);
    }
  }
  return undefined;
}

/** Whether the end of the handshake was on its way when these words came, by another connection. */
function isPassed(history: History, said: readonly Said[], { index }: Said): boolean {
  const event = history[index];
  const isOverHttp = event?.kind === 'wire' && event.record.kind === 'frame' && event.record.http !== undefined;
  const end = isOverHttp ? said.find((one) => one.by === 'client' && one.index > index && one.words['method'] === INITIALIZED) : undefined;
  return end !== undefined && event !== undefined && (history[end.index]?.atMs ?? Infinity) - event.atMs <= PASSING_MS;
}

/** A result for this id, or a frame that cannot be read and may be one. */
function mayAnswer(words: Words, id: unknown): boolean {
  return Object.keys(words).length === 0 || (words['id'] === id && words['method'] === undefined && words['error'] === undefined);
}

/** The first thing that `initialize` has to say and does not. */
function lackingIn({ params }: Words): string | undefined {
  if (!isObject(params)) return 'params';
  if (typeof params['protocolVersion'] !== 'string') return 'protocolVersion';
  if (!isObject(params['capabilities'])) return 'capabilities';
  const { clientInfo } = params as { clientInfo?: unknown };
  if (!isObject(clientInfo)) return 'clientInfo';
  return ['name', 'version'].find((key) => typeof clientInfo[key] !== 'string');
}
