/**
 * A bridge that sends calls again which its server did not answer before it ended.
 */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { onWire, type Message } from '../plant.ts';

/** Ids of repeated requests; their answers have nobody to go to. */
const AGAIN = 'again-';

/** The reference with that defect. Unanswered calls are remembered by server, across its sessions. */
export function sendingAgain(): AdapterFactory {
  const unanswered = new Map<string, Map<unknown, Message>>();
  return onWire((serverName) => {
    const left = [...(unanswered.get(serverName) ?? new Map<unknown, Message>()).values()];
    const mine = new Map<unknown, Message>();
    unanswered.set(serverName, mine);
    return {
      async send(message, pass) {
        if (message['method'] === 'tools/call') mine.set(message['id'], message);
        await pass(message);
        if (message['method'] !== 'notifications/initialized') return;
        for (const [at, call] of left.entries()) await pass({ ...call, id: AGAIN + at });
      },
      receive(message, pass) {
        mine.delete(message['id']);
        if (!String(message['id']).startsWith(AGAIN)) pass(message);
      },
    };
  });
}
