/**
 * What a subject's host tells of itself, as notifications `host-event`. A subject without images needs none of it.
 */
import { z } from 'zod';

/** Names of host events. */
export const HOST_EVENTS = {
  /** The attachment store was asked to take a batch; told when it is asked, before anything is decided. */
  storeCall: 'store-call',
  /** The model routes were asked about a route; told when they are asked. */
  routeLookup: 'route-lookup',
  /** Something came to a gate that is held, and waits there. */
  gateHeld: 'gate-held',
} as const;

/** Detail of {@link HOST_EVENTS.storeCall}: the images, in the order of the batch. */
export const storeCallDetail = z.strictObject({
  images: z.array(z.strictObject({ mediaType: z.string(), sha256: z.string().meta({ description: 'Of the bytes, lower-case hex.' }) })),
});
/** Detail of {@link HOST_EVENTS.routeLookup}. */
export const routeLookupDetail = z.strictObject({ route: z.string() });
/** Detail of {@link HOST_EVENTS.gateHeld}. */
export const gateHeldDetail = z.strictObject({ gate: z.enum(['route-lookup', 'store', 'finalize']) });

/** The detail of each event, and when it is told, for the reference. */
export const HOST_EVENT_DETAILS = {
  [HOST_EVENTS.storeCall]: { detail: storeCallDetail, about: 'The attachment store is asked to take a batch of images, before anything is decided; in the order of the batch.' },
  [HOST_EVENTS.routeLookup]: { detail: routeLookupDetail, about: 'The model routes are asked about a route.' },
  [HOST_EVENTS.gateHeld]: { detail: gateHeldDetail, about: 'Something came to a gate that is held, and waits there.' },
} as const;
