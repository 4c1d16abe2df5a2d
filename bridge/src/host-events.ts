/**
 * The few things of a Cordis context, of either version, that are no service: events in and out.
 * @module
 */
import type { HostContext } from './host-services.ts';
import { isRecord } from './json-shape.ts';
import type { ServerState } from './server-directory.ts';

/** Emitted on the app's root context whenever the state of a server changes, with its `ServerState` (B20). */
export const STATE_EVENT = 'mcp-bridge/state';

interface EventContext {
  emit?(name: string, ...args: unknown[]): void;
  on?(name: string, listener: (...args: unknown[]) => void): unknown;
  readonly fiber?: unknown;
}

/** Announces a state. A listener that throws does not reach the bridge; `onListenerError` is told. */
export function announceState(root: object, state: ServerState, onListenerError: (error: unknown) => void): void {
  const context: EventContext = root;
  try {
    context.emit?.(STATE_EVENT, state);
  } catch (error) {
    onListenerError(error);
  }
}

/**
 * Tells when the plugin instance behind `ctx` is disposed while its `apply` is still under way. Cordis 4 runs disposers
 * only after `apply` has settled, so without this a disposal would wait for a whole connect timeout.
 */
export function onEarlyDispose(ctx: HostContext, callback: () => void): void {
  const context: HostContext & EventContext = ctx;
  // Cordis 3 has no `fiber` and warns when an unknown property is read; it disposes at once anyway.
  if (!('fiber' in context)) return;
  const own = context.fiber;
  context.on?.('internal/plugin', (fiber) => {
    if (fiber === own && isRecord(fiber) && fiber['uid'] === null) callback();
  });
}
