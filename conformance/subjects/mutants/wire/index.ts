import { mutant, type Mutant } from '../mutant.ts';
import { BridgeError, referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { conversationMutants } from './conversation.ts';
import { limitMutants } from './limits.ts';
import { notificationMutants } from './notifications.ts';
import { overHttpMutants } from './over-http.ts';
import { isMessage, onBytes, onWire, withStages, type Message } from '../plant.ts';
import { deadAfterNoise, deafToNoise, decodedInPieces, separatorsAsLineEnds, startOfStreamKept } from './byte-defects.ts';

/** Id of a request that the bridge has no business to send. */
const FOREIGN_ID = 'a-list-of-resources';

/** The mutants of `wire`. */
export const wireMutants: readonly Mutant[] = [
  mutant('WIRE-001', 'lists-resources', {
    kind: 'wire',
    create: () => onWire(() => ({
      async send(message, pass) {
        await pass(message);
        if (message['method'] === 'notifications/initialized') await pass({ jsonrpc: '2.0', id: FOREIGN_ID, method: 'resources/list' });
      },
      receive: (message, pass) => (message['id'] === FOREIGN_ID ? undefined : pass(message)),
    })),
  }),
  mutant('WIRE-002', 'leaves-requests-unanswered', {
    kind: 'wire',
    create: () => onWire(() => ({ receive: (message, pass) => (isRequest(message) ? undefined : pass(message)) })),
  }),
  mutant('WIRE-002', 'agrees-to-everything', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: ({ error, ...message }, pass) => pass(error === undefined ? message : { ...message, result: {} }),
    })),
  }),
  mutant('WIRE-002', 'declares-what-it-refuses', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: (message, pass) => pass(message['method'] === 'initialize' && isMessage(message['params']) ? { ...message, params: { ...message['params'], capabilities: { roots: {}, sampling: {}, elicitation: {} } } } : message),
    })),
  }),
  mutant('WIRE-002', 'takes-the-blame', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: (message, pass) => pass(isMessage(message['error']) ? { ...message, error: { code: -32_603, message: 'internal error' } } : message),
    })),
  }),
  mutant('WIRE-002', 'answers-pings-with-nothing', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: ({ result: _result, ...message }, pass) => pass(message),
    })),
  }),
  mutant('WIRE-003', 'ends-lines-at-separators', { kind: 'wire', create: () => onBytes(separatorsAsLineEnds) }),
  mutant('WIRE-003', 'decodes-pieces-of-characters', { kind: 'wire', create: () => onBytes(decodedInPieces) }),
  mutant('WIRE-003', 'stumbles-over-a-byte-order-mark', { kind: 'wire', create: () => onBytes(startOfStreamKept) }),
  mutant('WIRE-004', 'reads-nothing-after-noise', { kind: 'wire', create: () => onBytes(deadAfterNoise) }),
  mutant('WIRE-057', 'skips-noise-in-silence', { kind: 'wire', create: () => onBytes(deafToNoise) }),
  mutant('WIRE-005', 'takes-answers-in-order', {
    kind: 'wire',
    create: () => onWire(() => {
      const waiting: unknown[] = [];
      return {
        send(message, pass) {
          if (message['method'] === 'tools/call') waiting.push(message['id']);
          return pass(message);
        },
        receive(message, pass) {
          pass(isAnswer(message) && waiting.includes(message['id']) ? { ...message, id: waiting.shift() } : message);
        },
      };
    }),
  }),
  mutant('WIRE-006', 'gives-strays-to-the-oldest-call', {
    kind: 'wire',
    create: () => onWire(() => {
      const waiting = new Set<unknown>();
      return {
        send(message, pass) {
          if (isRequest(message)) waiting.add(message['id']);
          return pass(message);
        },
        receive(message, pass) {
          if (!isAnswer(message)) return pass(message);
          const [oldest] = waiting;
          const id = waiting.has(message['id']) ? message['id'] : oldest;
          waiting.delete(id);
          return pass({ ...message, id });
        },
      };
    }),
  }),
  mutant('WIRE-007', 'needs-the-prompts-that-are-declared', {
    kind: 'stage',
    create: () => withStages(() => ({
      async openSession(options) {
        const session = await referenceStages.openSession(options);
        if (!('prompts' in session.server.capabilities)) return session;
        await session.close();
        throw new BridgeError('connect-failed', 'prompts are declared and not served');
      },
    })),
  }),
  ...limitMutants,
  ...conversationMutants,
  ...overHttpMutants,
  ...notificationMutants,
];

function isRequest(message: Message): boolean {
  return message['method'] !== undefined && message['id'] !== undefined;
}

function isAnswer(message: Message): boolean {
  return message['method'] === undefined;
}
