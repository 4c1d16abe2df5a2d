/** Defects in what an outage, its end and its telling are for others. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BridgeAdapter, ServerSpec, SubjectNotification } from 'mcp-bridge-conformance/adapter';
import { referenceStages, type BridgeStages, type OpenedSession } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around, withStages } from '../plant.ts';

const { openSession, swapGeneration, clock, callTool } = referenceStages;

/** A call that finds no connection is kept until there is one. */
function queueing(inner: BridgeAdapter): Partial<BridgeAdapter> {
  return {
    async call(request) {
      for (let tries = 0; ; tries += 1) {
        const reply = await inner.call(request);
        if (reply.outcome !== 'failed' || reply.executed !== 'no' || tries > 400) return reply;
        await wait(10);
      }
    },
  };
}

/** A call uses a connection as soon as it is open, before its list was read. */
function callingEarly(): Partial<BridgeStages> {
  const newest = new Map<string, OpenedSession>();
  return {
    openSession: async (options) => {
      const session = await openSession(options);
      newest.set(options.serverName, session);
      return session;
    },
    callTool: (input, stages) => callTool({ ...input, session: input.session ?? newest.get(input.serverName) }, stages),
  };
}

/** What is not connected is not shown. */
function hiding(inner: BridgeAdapter): Partial<BridgeAdapter> {
  return {
    async tools() {
      const reply = await inner.tools();
      const { servers } = await inner.state();
      return servers.some(({ state }) => state === 'reconnecting') ? { ...reply, tools: [] } : reply;
    },
  };
}

/** Keeps what a recovered server does not list any more. */
const merging = (): Partial<BridgeStages> => ({
  swapGeneration: (input) => {
    const listed = new Set(input.next.map(({ slot }) => slot.rawName));
    const gone = input.current.filter(({ slot }) => !listed.has(slot.rawName));
    return swapGeneration(input.next.length === 0 ? input : { ...input, next: [...input.next, ...gone] });
  },
});

/** Registers everything anew, whether it changed or not. */
const anew = (): Partial<BridgeStages> => ({
  swapGeneration: (input) => swapGeneration({ ...input, current: swapGeneration({ ...input, next: [] }).generation }),
});

/** Tells otherwise. */
const telling = (tell: (told: Extract<SubjectNotification, { type: 'log' }>) => SubjectNotification | undefined): ReturnType<typeof around> =>
  around((inner) => ({
    onNotification: (listener) => inner.onNotification((told) => {
      const changed = told.type === 'log' ? tell(told) : told;
      if (changed !== undefined) listener(changed);
    }),
  }));

/** A retry that was cancelled comes all the same, and nobody is there to stop it. */
const undead = (): Partial<BridgeStages> => ({
  clock: {
    now: () => clock.now(),
    schedule: (delayMs, callback) => {
      clock.schedule(delayMs, callback);
      return () => undefined;
    },
  },
  openSession: ({ signal: _signal, ...options }) => openSession(options),
});

/** Every limit of a start is ten times what was configured. */
function patiently(server: ServerSpec): ServerSpec {
  const tenfold = Object.fromEntries(['connectTimeoutMs', 'discoveryTimeoutMs', 'syncTimeoutMs'].flatMap((name) => {
    const limit = server.options?.[name];
    return typeof limit === 'number' ? [[name, limit * 10]] : [];
  }));
  return { ...server, options: { ...server.options, ...tenfold } };
}

/** See the names. */
export const outageMutants: readonly Mutant[] = [
  mutant('CONNECTION-013', 'keeps-calls-for-later', { kind: 'adapter', create: () => around(queueing) }),
  mutant('CONNECTION-013', 'calls-before-the-listing', { kind: 'stage', create: () => withStages(callingEarly) }),
  mutant('CONNECTION-013', 'hides-the-tools', { kind: 'adapter', create: () => around(hiding) }),
  mutant('CONNECTION-014', 'keeps-what-is-gone', { kind: 'stage', create: () => withStages(merging) }),
  mutant('CONNECTION-015', 'registers-everything-anew', { kind: 'stage', create: () => withStages(anew) }),
  mutant('CONNECTION-018', 'says-nothing-of-attempts', { kind: 'adapter', create: () => telling((told) => (told.level === 'warn' ? undefined : told)) }),
  mutant('CONNECTION-018', 'does-not-say-how-long', { kind: 'adapter', create: () => telling((told) => ({ ...told, message: told.message.replace(/\d+ ms/g, 'a while') })) }),
  mutant('CONNECTION-018', 'calls-everything-lost', {
    kind: 'adapter', create: () => telling((told) => (told.level === 'warn' ? { ...told, message: told.message.replace(/^.*(?=reconnecting:)/, 'connection lost; ') } : told)),
  }),
  mutant('CONNECTION-018', 'gives-up-in-silence', { kind: 'adapter', create: () => telling((told) => (told.level === 'error' ? undefined : told)) }),
  mutant('CONNECTION-019', 'comes-back-after-a-removal', { kind: 'stage', create: () => withStages(undead) }),
  mutant('CONNECTION-019', 'leaves-before-the-process', { kind: 'stage', create: () => withStages(() => ({ disposeSteps: ['stop-work', 'unregister-tools', 'free-name'] })) }),
  mutant('CONNECTION-020', 'is-far-too-patient', { kind: 'adapter', create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(patiently) }) })) }),
];
