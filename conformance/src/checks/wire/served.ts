/** Whether what a client answers to a server fits what it declared (WIRE-002). Pure. */
import type { History } from '../../history/schema.ts';
import { isObject, paramsOf, received } from '../../history/views.ts';
import { fail, type Judgement } from '../check.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a client declares when it serves a method, and whether a result is what the method promises. */
const SERVED: Readonly<Record<string, { readonly capability: string; readonly waitsForPerson: boolean; isResult(result: Json): boolean }>> = {
  'roots/list': { capability: 'roots', waitsForPerson: false, isResult: ({ roots }) => Array.isArray(roots) },
  'sampling/createMessage': { capability: 'sampling', waitsForPerson: true, isResult: ({ role, content }) => role === 'assistant' && content !== undefined },
  'elicitation/create': { capability: 'elicitation', waitsForPerson: true, isResult: ({ action }) => ['accept', 'decline', 'cancel'].includes(String(action)) },
};

/** JSON-RPC: there is no such method. A person who declines, or a model that cannot be reached, is told by other codes. */
const NO_SUCH_METHOD = -32601;

/** What the client declared to a server in its last handshake before this position. */
export function declaredTo(history: History, server: string, before = history.length): ReadonlySet<string> {
  const hello = received(history, server, 'initialize').findLast(({ index }) => index < before);
  const { capabilities } = (hello === undefined ? {} : paramsOf(hello.event)) as { capabilities?: unknown };
  return new Set(isObject(capabilities) ? Object.keys(capabilities) : []);
}

/** Whether an answer may take as long as a person does: the client declares a method that asks one. */
export function mayWait(method: string, declared: ReadonlySet<string>): boolean {
  const served = SERVED[method];
  return served !== undefined && served.waitsForPerson && declared.has(served.capability);
}

/** What is wrong with the answer to a request of the server. */
export function wrongAnswer(method: string, answer: Json, declared: ReadonlySet<string>, places: readonly number[]): Judgement | undefined {
  const { result, error } = answer;
  if (isObject(result) === isObject(error)) return fail(`the answer to ${method} holds ${isObject(result) ? 'a result and an error' : 'neither a result nor an error'}`, places);
  if (method === 'ping') {
    if (!isObject(result)) return fail('ping from the server got an error', places);
    return Object.keys(result).every((key) => key === '_meta') ? undefined : fail('the result of ping is not empty', places);
  }
  const served = Object.hasOwn(SERVED, method) ? SERVED[method] : undefined;
  const isDeclared = served !== undefined && declared.has(served.capability);
  if (isObject(result)) {
    if (!isDeclared) return fail(`${method}, which the client does not declare, got a result`, places);
    return served.isResult(result) ? undefined : fail(`the client declares ${served.capability}, and the result of ${method} is none`, places);
  }
  const isUnknown = isObject(error) && error['code'] === NO_SUCH_METHOD;
  // What the client knows and does not declare it may refuse in words of its own.
  if (served === undefined && !isUnknown) return fail(`${method}, which no client knows, got the error ${JSON.stringify(isObject(error) ? error['code'] : error)}; due is ${NO_SUCH_METHOD}`, places);
  return isDeclared && isUnknown ? fail(`the client declares ${served.capability} and knows no ${method}`, places) : undefined;
}
