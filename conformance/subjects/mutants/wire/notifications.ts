/** Defects in notifications: how they are written, and what those of a server bring about. */
import { mutant, type Mutant } from '../mutant.ts';
import { isMessage, onWire, type Message, type Tap } from '../plant.ts';

/** What a bridge of tools may know. */
const KNOWN: readonly unknown[] = ['notifications/tools/list_changed', 'notifications/progress', 'notifications/message', 'notifications/cancelled'];

const isNotification = ({ method, id }: Message): boolean => method !== undefined && id === undefined;

/** Notifications of this method have an id. */
const numbering = (method: string): ReturnType<typeof onWire> => onWire(() => ({ send: (message, pass) => pass(message['method'] === method ? { ...message, id: `told-${method}` } : message) }));

/** Refuses each notification that it does not know. */
function refusing(): Tap {
  let say: ((message: Message) => Promise<void>) | undefined;
  return {
    send(message, pass) {
      say = pass;
      return pass(message);
    },
    receive(message, pass) {
      if (isNotification(message) && !KNOWN.includes(message['method'])) void say?.({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'no such method' } });
      pass(message);
    },
  };
}

/** Takes a notification of this kind for the failure of everything that is in flight. */
const failingAt = (isMeant: (message: Message) => boolean): ReturnType<typeof onWire> => onWire(() => {
  const open = new Set<unknown>();
  return {
    send(message, pass) {
      if (message['method'] !== undefined && message['id'] !== undefined) open.add(message['id']);
      return pass(message);
    },
    receive(message, pass) {
      if (message['method'] === undefined && !open.delete(message['id'])) return;
      if (!isNotification(message) || !isMeant(message)) return pass(message);
      for (const id of open) pass({ jsonrpc: '2.0', id, error: { code: -32_603, message: `cannot read ${String(message['method'])}` } });
      open.clear();
    },
  };
});

/** See the names. */
export const notificationMutants: readonly Mutant[] = [
  mutant('WIRE-047', 'ends-the-handshake-with-an-id', { kind: 'wire', create: () => numbering('notifications/initialized') }),
  mutant('WIRE-047', 'cancels-with-an-id', { kind: 'wire', create: () => numbering('notifications/cancelled') }),
  mutant('WIRE-047', 'refuses-what-it-is-told', { kind: 'wire', create: () => onWire(refusing) }),
  mutant('WIRE-047', 'says-no-code', {
    kind: 'wire',
    create: () => onWire(() => ({ send: (message, pass) => pass(isMessage(message['error']) ? { ...message, error: { message: message['error']['message'] } } : message) })),
  }),
  mutant('WIRE-048', 'fails-at-what-it-does-not-know', { kind: 'wire', create: () => failingAt(({ method }) => !KNOWN.includes(method)) }),
  mutant('WIRE-050', 'fails-at-progress-without-params', { kind: 'wire', create: () => failingAt(({ method, params }) => method === 'notifications/progress' && params === undefined) }),
];
