/** Defects in what is said when the start is over: of a loss, and of secrets. */
import type { BridgeAdapter, ServerSpec } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

/** Says that a connection was lost, and nothing of how: in the log and in the state. */
const tersely = (terse: (text: string) => string) => (inner: BridgeAdapter): Partial<BridgeAdapter> => ({
  onNotification: (listener) => inner.onNotification((told) => {
    listener(told.type === 'log' ? { ...told, message: terse(told.message) } : told);
  }),
  state: async () => ({ servers: (await inner.state()).servers.map(({ lastError, ...one }) => (lastError === undefined ? one : { ...one, lastError: terse(lastError) })) }),
});

/** Only what is said of starts is kept free of secrets. */
function discreetAtFirst(inner: BridgeAdapter): Partial<BridgeAdapter> {
  let secret = '';
  let isOver = false;
  const repeating = (text: string): string => (isOver && secret !== '' ? text.replaceAll('[redacted]', secret) : text);
  const learn = (servers: readonly ServerSpec[]): void => {
    [secret = ''] = servers.flatMap((server) => Object.values((server.transport === 'stdio' ? server.env : server.headers) ?? {}));
  };
  return {
    async open(request) {
      isOver = false;
      learn(request.servers);
      const reply = await inner.open(request);
      isOver = reply.servers.every(({ status }) => status === 'ready');
      return reply;
    },
    async call(request) {
      const reply = await inner.call(request);
      return reply.message === undefined ? reply : { ...reply, message: repeating(reply.message) };
    },
    ...tersely(repeating)(inner),
  };
}

/** See the names. */
export const wordMutants: readonly Mutant[] = [
  mutant('CONNECTION-044', 'says-that-it-is-closed', { kind: 'adapter', create: () => around(tersely((text) => text.replace(/exit(?:ed)?\b[^]*?(?=; reconnecting|$)|[^]*SIGKILL[^]*?(?=; reconnecting|$)/, 'connection closed'))) }),
  mutant('CONNECTION-044', 'keeps-the-code-to-itself', { kind: 'adapter', create: () => around(tersely((text) => text.replaceAll(/code \d+|SIG[A-Z]+/g, 'an error'))) }),
  mutant('CONNECTION-003', 'is-discreet-at-the-start-only', { kind: 'adapter', create: () => around(discreetAtFirst) }),
  mutant('CONNECTION-045', 'is-discreet-at-the-start-only', { kind: 'adapter', create: () => around(discreetAtFirst) }),
];
