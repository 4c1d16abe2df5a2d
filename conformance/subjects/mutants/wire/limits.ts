/** Defects with revisions of the protocol and with the size of messages. */
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around, isMessage, onWire, withStages, type Message } from '../plant.ts';

/** The answer to a handshake in another revision; other messages as they are. */
function inRevision(message: Message, change: (revision: string) => string): Message {
  const { result } = message;
  if (!isMessage(result) || typeof result['protocolVersion'] !== 'string') return message;
  return { ...message, result: { ...result, protocolVersion: change(result['protocolVersion']) } };
}

/** The reference that reads another revision in the answer to its handshake. */
export const reading = (change: (revision: string) => string): ReturnType<typeof onWire> => onWire(() => ({ receive: (message, pass) => pass(inRevision(message, change)) }));

/** The revision that the reference offers. */
export const LATEST = '2025-11-25';

function unlimited(server: ServerSpec): ServerSpec {
  const { maxMessageBytes: _limit, ...options } = server.options ?? {};
  return { ...server, options };
}

/** See the names. */
export const limitMutants: readonly Mutant[] = [
  mutant('WIRE-020', 'knows-the-latest-only', { kind: 'wire', create: () => reading((revision) => (revision === LATEST ? revision : 'too old')) }),
  mutant('WIRE-020', 'takes-any-revision', { kind: 'wire', create: () => reading(() => LATEST) }),
  mutant('WIRE-020', 'knows-the-latest-only-over-http', {
    kind: 'stage',
    create: () => withStages(() => ({
      async openSession(options) {
        const session = await referenceStages.openSession(options);
        if (options.target.transport === 'stdio' || session.server.protocolVersion === LATEST) return session;
        await session.close();
        throw new BridgeError('connect-failed', `the revision ${session.server.protocolVersion} is too old`);
      },
    })),
  }),
  mutant('WIRE-021', 'knows-no-limit', {
    kind: 'adapter', create: () => around((inner) => ({ open: ({ servers, ...rest }) => inner.open({ ...rest, servers: servers.map(unlimited) }) })),
  }),
  mutant('WIRE-021', 'gives-up-for-good', {
    kind: 'stage',
    create: () => withStages(() => ({ decideReconnect: (policy, state, nowMs) => referenceStages.decideReconnect({ ...policy, enabled: false }, state, nowMs) })),
  }),
];
