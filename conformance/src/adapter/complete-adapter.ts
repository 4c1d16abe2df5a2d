import { AdapterError, type BridgeAdapter } from './bridge-adapter.ts';
import { demandMethods, type NEEDED_METHODS } from './demand-methods.ts';
import { writableNotification, writableReply, writableTools } from './writable.ts';

/** What every adapter has to bring. */
type NeededMethods = (typeof NEEDED_METHODS)[number];

/** An adapter with only what the subject can do. */
export type PartialAdapter = Pick<BridgeAdapter, NeededMethods> & Partial<BridgeAdapter>;

function missing(method: string): () => Promise<never> {
  return () => Promise.reject(new AdapterError('unsupported', `the adapter has no "${method}"`));
}

/**
 * Fills in the methods that a subject does not need: nothing is told, cancelling does nothing, no state is known, and
 * whatever needs more than that is refused as `unsupported`, which makes a check not applicable. What cannot be written as
 * JSON is told in words (`writable.ts`).
 * @throws AdapterError `misuse` when a method that every adapter needs is missing
 */
export function completeAdapter(adapter: PartialAdapter): BridgeAdapter {
  demandMethods(adapter, 'completeAdapter was given');
  return {
    describe: () => adapter.describe(),
    open: (request) => adapter.open(request),
    close: () => adapter.close(),
    tools: async () => writableTools(await adapter.tools()),
    call: async (request) => writableReply(await adapter.call(request)),
    add: adapter.add?.bind(adapter) ?? missing('add'),
    remove: adapter.remove?.bind(adapter) ?? missing('remove'),
    reload: adapter.reload?.bind(adapter) ?? missing('reload'),
    state: adapter.state?.bind(adapter) ?? missing('state'),
    cancel: adapter.cancel?.bind(adapter) ?? (async () => undefined),
    gate: adapter.gate?.bind(adapter) ?? missing('gate'),
    setHost: adapter.setHost?.bind(adapter) ?? missing('setHost'),
    onNotification: (listener) => adapter.onNotification?.((told) => listener(writableNotification(told))) ?? (() => undefined),
    ...(adapter.end === undefined ? {} : { end: adapter.end.bind(adapter) }),
  };
}
