/** Sets the handlers of a transport; it takes functions as properties and knows no `addEventListener`. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Replaces the given handlers and leaves the others. */
export function setHandlers(
  transport: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>,
  handlers: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>,
): void {
  Object.assign(transport, handlers);
}
