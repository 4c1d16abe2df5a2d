/** Defects with progress, with what is told of states, with a tool's own errors. */
import type { BridgeAdapter, StateReply } from 'mcp-bridge-conformance/adapter';
import { referenceStages, type BridgeStages, type RequestLimits } from 'cordis-plugin-mcp-bridge/internal';
import { boundMutants } from './bounds.ts';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { around, isMessage, onWire, withStages } from '../plant.ts';

/** Longer than any limit that is judged, in milliseconds. */
const FAR_MS = 60_000;

/** Calls with other limits. */
const limiting = (change: (limits: RequestLimits) => RequestLimits) => (): Partial<BridgeStages> => ({
  openSession: async (options) => {
    const session = await referenceStages.openSession(options);
    return replaced(session, { callTool: (rawName, args, limits) => session.callTool(rawName, args, change(limits)) });
  },
});

const isExtended = ({ timeoutMs, maxTotalMs = timeoutMs }: RequestLimits): boolean => maxTotalMs > timeoutMs;

type State = StateReply['servers'][number];

/** Tells something else of each server. `last` is what was told of all before. */
const telling = (change: (states: readonly State[], last: ReadonlyMap<string, State>) => State[]): ReturnType<typeof around> => {
  const last = new Map<string, State>();
  return around((inner: BridgeAdapter) => ({
    state: async () => {
      const servers = change((await inner.state()).servers, last);
      for (const one of servers) last.set(one.name, one);
      return { servers };
    },
    close: () => {
      last.clear();
      return inner.close();
    },
  }));
};

/** See the names. */
export const resilienceMutants: readonly Mutant[] = [
  mutant('CALL-021', 'validates-failures-too', {
    kind: 'stage',
    create: () => withStages(() => ({
      callTool: (input, stages) => referenceStages.callTool(input, {
        ...stages,
        isToolError: (result) => {
          const { content, structuredContent } = result;
          if (Array.isArray(content) && isMessage(structuredContent)) stages.checkOutput(input, { content, structuredContent });
          return stages.isToolError(result);
        },
      }),
    })),
  }),
  mutant('CALL-034', 'asks-for-no-progress', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: (message, pass) => {
        const { params } = message;
        if (message['method'] !== 'tools/call' || !isMessage(params)) return pass(message);
        const { _meta, ...rest } = params;
        return pass({ ...message, params: rest });
      },
    })),
  }),
  mutant('CALL-034', 'hears-no-progress', {
    kind: 'wire', create: () => onWire(() => ({ receive: (message, pass) => (message['method'] === 'notifications/progress' ? undefined : pass(message)) })),
  }),
  mutant('CALL-034', 'knows-no-hard-limit', { kind: 'stage', create: () => withStages(limiting((limits) => (isExtended(limits) ? { ...limits, maxTotalMs: FAR_MS } : limits))) }),
  mutant('CALL-035', 'extends-unasked', { kind: 'stage', create: () => withStages(limiting((limits) => (isExtended(limits) ? limits : { ...limits, maxTotalMs: FAR_MS }))) }),
  mutant('CONNECTION-040', 'counts-no-tools', { kind: 'adapter', create: () => telling((states) => states.map((one) => ({ ...one, tools: 0 }))) }),
  mutant('CONNECTION-040', 'keeps-reasons-of-states-to-itself', { kind: 'adapter', create: () => telling((states) => states.map(({ lastError: _why, ...one }) => one)) }),
  mutant('CONNECTION-040', 'counts-no-attempts', { kind: 'adapter', create: () => telling((states) => states.map((one) => ({ ...one, attempt: 0 }))) }),
  mutant('CONNECTION-040', 'takes-an-outage-for-the-end', {
    kind: 'adapter', create: () => telling((states) => states.map((one) => (one.state === 'reconnecting' ? { ...one, state: 'failed' } : one))),
  }),
  mutant('CONNECTION-040', 'never-says-failed', {
    kind: 'adapter', create: () => telling((states) => states.map((one) => (one.state === 'failed' ? { ...one, state: 'reconnecting' } : one))),
  }),
  mutant('CONNECTION-040', 'remembers-who-is-gone', {
    kind: 'adapter', create: () => telling((states, last) => [...states, ...[...last.values()].filter(({ name }) => !states.some((one) => one.name === name))]),
  }),
  ...boundMutants,
];
