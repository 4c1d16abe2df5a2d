/** What both sides said that they have is all that is asked for (WIRE-049). Reads any history. */
import type { History } from '../../history/schema.ts';
import { isObject } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { conversationsOf, isRequest, type Conversation, type Said, type Words } from './conversations.ts';

/**
 * The capability of a server that a method needs, by the beginning of its name, the narrower first. `tools` is none of them: servers
 * that serve tools and forget to say so are met, and who asks them harms nobody.
 */
const NEEDED: readonly (readonly [method: string, path: readonly string[]])[] = [
  ['resources/subscribe', ['resources', 'subscribe']], ['resources/unsubscribe', ['resources', 'subscribe']], ['resources/', ['resources']],
  ['prompts/', ['prompts']], ['completion/', ['completions']], ['logging/', ['logging']],
  ['tasks/list', ['tasks', 'list']], ['tasks/cancel', ['tasks', 'cancel']], ['tasks/', ['tasks']],
];
/** The first revision in which a server says that it completes. */
const COMPLETIONS_SINCE = '2025-03-26';

/** What a client has to declare before it notifies of it. */
const ROOTS_CHANGED = 'notifications/roots/list_changed';

/** WIRE-049, of every process and session. */
export function judgeNegotiated(history: History): Judgement {
  let asked = 0;
  for (const conversation of conversationsOf(history)) {
    const agreed = agreedIn(conversation);
    // Who asks before that is WIRE-026's.
    if (agreed === undefined) continue;
    const later = conversation.said.filter(({ by, index }) => by === 'client' && index > agreed.index);
    for (const { words, index } of later) {
      const lacking = lackingFor(words, agreed);
      if (lacking !== undefined) return fail(`${String(words['method'])} to "${conversation.server}", where ${lacking}`, [agreed.index, index]);
    }
    asked += later.filter((one) => isRequest(one) && one.words['method'] !== 'ping').length;
  }
  return asked === 0 ? inconclusive('no server was asked for anything after its handshake') : pass(`${asked} requests, each of something that its server declares`);
}

interface Agreed {
  readonly index: number;
  readonly revision: unknown;
  /** What the server has, and what the client has. */
  readonly theirs: unknown;
  readonly own: unknown;
}

/** The last answer to a handshake; of what was said before it nothing was agreed. */
function agreedIn({ said }: Conversation): Agreed | undefined {
  const hello = said.findLast((one) => one.words['method'] === 'initialize' && isRequest(one));
  const answer = hello === undefined ? undefined : said.find((one) => isAnswerTo(one, hello));
  const result = answer?.words['result'];
  if (hello === undefined || answer === undefined || !isObject(result)) return undefined;
  const params = hello.words['params'];
  return { index: answer.index, revision: result['protocolVersion'], theirs: result['capabilities'], own: isObject(params) ? params['capabilities'] : undefined };
}

const isAnswerTo = ({ by, words, index }: Said, hello: Said): boolean => by === 'server' && index > hello.index && words['method'] === undefined && words['id'] === hello.words['id'];

/** What nobody has declared of what a message is about. */
function lackingFor({ method }: Words, { revision, theirs, own }: Agreed): string | undefined {
  if (typeof method !== 'string') return undefined;
  if (method === ROOTS_CHANGED) return has(own, ['roots', 'listChanged']) ? undefined : 'the client does not declare roots.listChanged';
  const path = NEEDED.find(([beginning]) => method.startsWith(beginning))?.[1];
  if (path === undefined || has(theirs, path)) return undefined;
  const isOlder = path[0] === 'completions' && typeof revision === 'string' && revision < COMPLETIONS_SINCE;
  return isOlder ? undefined : `the server does not declare ${path.join('.')}`;
}

/** Whether a capability is there: an object, or `true`. */
function has(capabilities: unknown, path: readonly string[]): boolean {
  const found = path.reduce((value: unknown, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), capabilities);
  return found === true || isObject(found);
}
