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

/** WIRE-026, of every process and session. */
export function judgeHandshakes(history: History): Judgement {
  const used = conversationsOf(history).filter(({ said }) => said.some((one) => one.by === 'client' && isWork(one.words)));
  for (const conversation of used) {
    const wrong = wrongIn(conversation);
    if (wrong !== undefined) return wrong;
  }
  return used.length === 0 ? inconclusive('no server was asked for anything but a handshake') : pass(`${used.length} handshakes came first, and were whole`);
}

/** Whether a client asks for something, or tells something, that needs a handshake before it. */
function isWork(words: Words): boolean {
  const { method } = words;
  return typeof method === 'string' && method !== 'initialize' && method !== INITIALIZED && !ANY_TIME.includes(method) && !isOfAnotherEra(words);
}

function wrongIn({ server, said }: Conversation): Judgement | undefined {
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
    } else if (isWork(words) && !isOver) {
      const due = asked === undefined ? 'initialize' : isAnswered ? INITIALIZED : 'the answer to initialize';
      return fail(`"${server}" got ${String(method)} before ${due}`, [...(asked === undefined ? [] : [asked.index]), index]);
    }
  }
  return undefined;
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
