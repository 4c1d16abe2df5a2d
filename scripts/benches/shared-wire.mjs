// Two clients on one connection: the bridge, whose connection it is, and the official client as a guest on it. Both then have the
// same transport and the same server process, so all that differs is what each does with a call.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';

/**
 * @typedef {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} Transport
 * @typedef {import('@modelcontextprotocol/sdk/types.js').JSONRPCMessage} Message
 */

/** Ids of the guest begin here. */
const GUEST_IDS = 1_000_000_000;

/** @param {Transport} inner the bridge's transport */
export function shareWire(inner) {
  /** @type {((message: Message) => void)[]} */
  const guests = [];
  /** @type {Record<string, unknown>} */
  let initialized = {};
  let handshakeDone = false;
  const onclose = () => host.onclose?.();
  const onerror = (/** @type {Error} */ error) => host.onerror?.(error);
  const onmessage = (/** @type {Message} */ message) => {
    if ('id' in message && typeof message.id === 'number' && message.id >= GUEST_IDS && !('method' in message)) {
      const guest = guests[Math.floor(message.id / GUEST_IDS) - 1];
      message.id %= GUEST_IDS;
      guest?.(message);
      return;
    }
    if (!handshakeDone && 'result' in message) {
      handshakeDone = true;
      initialized = message.result;
    }
    host.onmessage?.(message);
  };
  /** What the bridge is given in the place of its transport. @type {Transport} */
  const host = {
    async start() {
      Object.assign(inner, { onclose, onerror, onmessage });
      await inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  /** Connects one more client as a guest; its `initialize` is answered with what the server said to the bridge. */
  const connectGuest = async () => {
    const number = guests.length + 1;
    /** @type {Transport} */
    const transport = {
      async start() {
        guests.push((message) => transport.onmessage?.(message));
      },
      async send(message, options) {
        if ('method' in message && message.method === 'initialize' && 'id' in message) {
          const { id } = message;
          queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, result: initialized }));
          return;
        }
        if (!('id' in message)) return;
        if (typeof message.id === 'number') message.id += number * GUEST_IDS;
        await inner.send(message, options);
      },
      async close() {},
    };
    const client = new Client({ name: 'guest', version: '1' });
    await client.connect(transport);
    return client;
  };
  return { host, connectGuest };
}
