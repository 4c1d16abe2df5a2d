/**
 * The in-process way to a subject: an object is wrapped so that every reply is checked against the same schemas that
 * the driver protocol has. A reply that does not fit is an error of the adapter, never a verdict (DESIGN.md §6).
 */
import type { z } from 'zod';
import { AdapterError, type BridgeAdapter } from './bridge-adapter.ts';
import { completeAdapter } from './complete-adapter.ts';
import { demandMethods } from './demand-methods.ts';
import {
  callReply, notification, openReply, serverReply, stateReply, subjectDescription, toolsReply,
} from './messages.ts';
import { owedAnswers } from './owed-answers.ts';
import { problemsOf } from './problems.ts';

/**
 * Checks one reply.
 * @throws AdapterError `invalid-reply`
 */
export function checkReply<T>(method: string, schema: z.ZodType<T>, reply: unknown): T {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  throw new AdapterError('invalid-reply', `the adapter's reply to "${method}" does not fit the contract: ${problemsOf(parsed.error, reply)}`);
}

/**
 * Wraps an adapter: replies and notifications are checked, and the first notification that does not fit makes the next
 * method reject, since a listener has nobody to throw to. Optional methods that are missing are filled in.
 * @throws AdapterError `misuse` when it is no adapter
 */
export function inProcess(made: BridgeAdapter): BridgeAdapter {
  demandMethods(made, 'createAdapter returned');
  const adapter = completeAdapter(made);
  let broken: AdapterError | undefined;
  const guard = async <T>(method: string, schema: z.ZodType<T>, reply: () => Promise<unknown>): Promise<T> => {
    if (broken !== undefined) throw broken;
    const value = await reply();
    if (broken !== undefined) throw broken as AdapterError;
    return checkReply(method, schema, value);
  };
  const owed = owedAnswers({
    describe: () => guard('describe', subjectDescription, () => adapter.describe()),
    open: (request) => guard('open', openReply, () => adapter.open(request)),
    add: (server) => guard('add', serverReply, () => adapter.add(server)),
    reload: (server) => guard('reload', serverReply, () => adapter.reload(server)),
    close: () => adapter.close(),
    tools: () => guard('tools', toolsReply, () => adapter.tools()),
    call: (request) => guard('call', callReply, () => adapter.call(request)),
  }, 'the adapter');
  return {
    ...owed,
    remove: (server) => adapter.remove(server),
    state: () => guard('state', stateReply, () => adapter.state()),
    cancel: (callId) => adapter.cancel(callId),
    gate: (request) => adapter.gate(request),
    setHost: (change) => adapter.setHost(change),
    onNotification: (listener) =>
      adapter.onNotification((told) => {
        const parsed = notification.safeParse(told);
        if (parsed.success) listener(parsed.data);
        else {
          broken ??= new AdapterError('invalid-reply', `a notification of the adapter does not fit the contract: ${problemsOf(parsed.error, told)}`);
        }
      }),
    ...(adapter.end === undefined ? {} : { end: (how) => adapter.end?.(how) ?? Promise.resolve() }),
  };
}
