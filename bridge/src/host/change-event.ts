/**
 * An event that is emitted for each of thousands of changes. To tell nobody takes Cordis some 20 µs each time, which is
 * more than discovery of a tool takes, so nothing is emitted while nobody listens.
 */
import type { CordisContext } from './cordis-context.ts';

/** Emits one event. */
export type EmitEvent = (...args: unknown[]) => void;

/**
 * Makes the emitter of an event. Where it cannot be told whether anybody listens, as in a Cordis of another shape, the event
 * is always emitted.
 */
export function eventEmitter(ctx: CordisContext, event: string): EmitEvent {
  const listeners = listenersOf(ctx);
  return (...args) => {
    if (listeners === undefined || hasAny(Reflect.get(listeners, event))) ctx.emit(event, ...args);
  };
}

/** Cordis 3 keeps an array, Cordis 4 a list of its own; both have a length. */
function hasAny(listeners: unknown): boolean {
  return typeof listeners === 'object' && listeners !== null && !('length' in listeners && listeners.length === 0);
}

/** Where Cordis 3.18 and Cordis 4 keep who listens to what, by the event's name. */
function listenersOf(ctx: object): object | undefined {
  // `in` asks without the warning that Cordis 3 gives for reading an unknown property.
  const holder = 'events' in ctx ? ctx.events : undefined;
  const hooks = typeof holder === 'object' && holder !== null && '_hooks' in holder ? holder._hooks : undefined;
  return typeof hooks === 'object' && hooks !== null ? hooks : undefined;
}
