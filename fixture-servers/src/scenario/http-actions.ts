/** Actions of the carrier streamable-http. On stdio they are refused when a scenario is served. */
import { z } from 'zod';
import { label, mapping } from './json.ts';
import { MAX_RETRY_MS } from './limits.ts';

const target = z.enum(['request', 'listen', 'all']);

const headers = mapping(z.string(), 'Header fields; they replace those of the same name.');

/** What only HTTP can do. Each is an object with exactly one key. */
export const httpActions = [
  z.strictObject({
    openStream: z.strictObject({
      headers: headers.optional(),
      retryMs: z.int().min(0).max(MAX_RETRY_MS).optional().meta({ description: 'A `retry` field in the first event.' }),
    }),
  }).meta({ description: 'HTTP only: send the head of the answer now, with event ids also a first empty event. Default: with its first message.' }),
  z.strictObject({ closeStream: target }).meta({
    description: 'HTTP only: end the answer, the listening streams of the session, or both, as a server that has nothing more to say. With event ids the client may resume, and what comes later waits for it.',
  }),
  z.strictObject({ cut: target }).meta({ description: 'HTTP only: close the connection in the middle of the response.' }),
  z.strictObject({ reset: target }).meta({ description: 'HTTP only: reset the connection (RST).' }),
  z.strictObject({ closeSession: z.literal(true) }).meta({
    description: 'HTTP only: forget the session and end its listening streams. Requests under way are still answered.',
  }),
  z.strictObject({
    respond: z.strictObject({
      status: z.int().min(200).max(599).meta({ description: 'Its status.' }),
      headers: headers.optional(),
      body: z.string().optional().meta({ description: 'Its body. Default: none.' }),
    }),
  }).meta({ description: 'HTTP only: answer the request with this. A body has the type text/plain unless `headers` says so.' }),
  z.strictObject({
    redirect: z.strictObject({
      to: label.meta({ description: '`self`, or another origin of `http.origins`: the same server on another port.' }),
      status: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]).meta({ description: 'With this status.' }),
    }),
  }).meta({ description: 'HTTP only: to another origin that the scenario declares.' }),
  z.strictObject({ down: z.literal(true) }).meta({
    description: 'HTTP only: stop listening and reset every connection, as a server that is down. Sessions stay, until `restart`.',
  }),
  z.strictObject({ up: z.literal(true) }).meta({ description: 'HTTP only: listen again, on the same port.' }),
  z.strictObject({ restart: z.literal(true) }).meta({
    description: 'HTTP only: forget every session and reset every connection, as a server that was started anew.',
  }),
] as const;

/** The keys of these actions. */
export const HTTP_ACTIONS: ReadonlySet<string> = new Set(httpActions.flatMap((each) => Object.keys(each.shape)));
