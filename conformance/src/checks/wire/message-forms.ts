/** How what is said to a server is made, as JSON-RPC has it: notifications, answers, errors (WIRE-047). Reads any history. */
import type { History } from '../../history/schema.ts';
import { isObject } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { conversationsOf, type Conversation, type Said, type Words } from './conversations.ts';

/** WIRE-047, of every process. */
export function judgeForms(history: History): Judgement {
  let notices = 0;
  let answers = 0;
  for (const conversation of processesOf(history)) {
    const wrong = wrongIn(conversation);
    if (wrong !== undefined) return wrong;
    const { said } = conversation;
    answers += said.filter(isAnswer).length;
    const last = said.reduce((latest, { by, index }) => (by === 'client' ? Math.max(latest, index) : latest), -1);
    notices += said.filter((one) => one.by === 'server' && isNotification(one.words) && one.index < last).length;
  }
  return notices === 0 ? inconclusive('no server notified, and was spoken to afterwards') : pass(`${notices} notifications of servers were not answered, ${answers} of their requests were, and nothing that was notified has an id`);
}

/** Over HTTP an answer may come in another session of the bridge than the question: what was said in one process is read as one. */
function processesOf(history: History): Conversation[] {
  const found = new Map<string, Conversation>();
  for (const { server, pid, said } of conversationsOf(history)) {
    const key = JSON.stringify([server, pid]);
    found.set(key, { server, pid, said: [...(found.get(key)?.said ?? []), ...said] });
  }
  return [...found.values()];
}

function wrongIn({ server, said }: Conversation): Judgement | undefined {
  const own = said.filter(({ by }) => by === 'client');
  const numbered = own.find(({ words: { method, id } }) => typeof method === 'string' && method.startsWith('notifications/') && id !== undefined);
  if (numbered !== undefined) return fail(`${String(numbered.words['method'])} to "${server}" is a notification and has the id ${JSON.stringify(numbered.words['id'])}`, [numbered.index]);
  const answers = own.filter(isAnswer);
  for (const { words, index } of answers) {
    const lacking = lackingIn(words);
    if (lacking !== undefined) return fail(`an answer to "${server}" ${lacking}`, [index]);
  }
  return answersNobody(server, said, answers);
}

/** An answer to a notification, or to nothing that was asked; a second one to what is answered. */
function answersNobody(server: string, said: readonly Said[], answers: readonly Said[]): Judgement | undefined {
  const theirs = said.filter(({ by }) => by === 'server').map(({ words }) => words);
  // Of what cannot be read nobody knows whether it asked for something.
  if (theirs.some((words) => Object.keys(words).length === 0)) return undefined;
  const open = theirs.flatMap(({ method, id }) => (typeof method === 'string' && id !== undefined ? [JSON.stringify(id)] : []));
  const mayRefuse = !theirs.every(isWellMade);
  for (const { words: { id, error }, index } of answers) {
    const at = open.indexOf(JSON.stringify(id ?? null));
    if (at !== -1) open.splice(at, 1);
    // What is no message at all is refused without knowing its id.
    else if (!(mayRefuse && (id ?? null) === null && error !== undefined)) return fail(`"${server}" got an answer with the id ${JSON.stringify(id)}, under which it has no open request`, [index]);
  }
  return undefined;
}

const isAnswer = ({ by, words }: Said): boolean => by === 'client' && words['method'] === undefined && (Object.hasOwn(words, 'result') || Object.hasOwn(words, 'error'));

const isNotification = (words: Words): boolean => typeof words['method'] === 'string' && words['id'] === undefined && isWellMade(words);

/** Whether a message of a server is one to JSON-RPC, whatever it says. */
function isWellMade(words: Words): boolean {
  const { jsonrpc, method, params } = words;
  if (jsonrpc !== '2.0') return false;
  if (method === undefined) return Object.hasOwn(words, 'id');
  return typeof method === 'string' && (params === undefined || (typeof params === 'object' && params !== null));
}

/** What is wrong with the members of an answer. */
function lackingIn(words: Words): string | undefined {
  if (Object.hasOwn(words, 'result') === Object.hasOwn(words, 'error')) return 'holds a result and an error';
  if (Object.hasOwn(words, 'result')) return undefined;
  const { error } = words;
  if (!isObject(error)) return `has the error ${JSON.stringify(error)}, which is no object`;
  if (!Number.isInteger(error['code'])) return `has an error with the code ${JSON.stringify(error['code'])}, which is no integer`;
  return typeof error['message'] === 'string' ? undefined : 'has an error without a message';
}
