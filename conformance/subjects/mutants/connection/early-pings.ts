/** Defects with what a server asks before it has answered. */
import { mutant, type Mutant } from '../mutant.ts';
import { onWire, type Message } from '../plant.ts';

const isRequest = ({ id, method }: Message): boolean => id !== undefined && method !== undefined;

/** Nothing that the server asks is heard before the handshake is over. */
const deafAtFirst = (): ReturnType<typeof onWire> =>
  onWire(() => {
    let isOver = false;
    return {
      send: async (message, pass) => {
        isOver ||= message['method'] === 'notifications/initialized';
        await pass(message);
      },
      receive: (message, pass) => {
        if (isOver || !isRequest(message)) pass(message);
      },
    };
  });

/** While a listing is awaited, what the server asks waits as well. */
const oneAtATime = (): ReturnType<typeof onWire> =>
  onWire(() => {
    const listings = new Set<unknown>();
    let waiting: Message[] = [];
    return {
      send: async (message, pass) => {
        if (message['method'] === 'tools/list') listings.add(message['id']);
        await pass(message);
      },
      receive: (message, pass) => {
        if (listings.size > 0 && isRequest(message)) waiting.push(message);
        else pass(message);
        if (message['method'] !== undefined || !listings.delete(message['id']) || listings.size > 0) return;
        for (const late of waiting) pass(late);
        waiting = [];
      },
    };
  });

/** See the names. */
export const earlyPingMutants: readonly Mutant[] = [
  mutant('CONNECTION-052', 'deaf-until-initialized', { kind: 'wire', create: deafAtFirst }),
  mutant('CONNECTION-052', 'one-thing-at-a-time', { kind: 'wire', create: oneAtATime }),
];
