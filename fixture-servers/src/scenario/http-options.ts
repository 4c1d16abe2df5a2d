import { z } from 'zod';
import { label } from './json.ts';
import { MAX_ORIGINS, MAX_RETRY_MS } from './limits.ts';

/** How the server behaves over HTTP where no rule says otherwise. stdio takes no notice of it. */
export const httpOptions = z
  .strictObject({
    answers: z.enum(['event-stream', 'json']).default('event-stream').meta({ description: 'In which form a request is answered.' }),
    sessions: z.boolean().default(true).meta({ description: 'Whether `initialize` gives out a session id, which later requests need.' }),
    listen: z.boolean().default(true).meta({ description: 'Whether GET opens a listening stream; false: 405.' }),
    eventIds: z.boolean().default(false).meta({ description: 'Whether events have ids, so that a lost stream can be resumed.' }),
    retryMs: z.int().min(0).max(MAX_RETRY_MS).optional().meta({ description: 'A `retry` field in the first event of each stream.' }),
    unheard: z.enum(['keep', 'lose']).default('keep').meta({
      description: 'What becomes of messages for the listening stream while there is none: kept for the next one, or lost as in most servers.',
    }),
    unknownSession: z.enum(['404-json', '404', '400', '200']).default('404-json').meta({
      description: 'What a request of an unknown session gets: 404 with the error -32001 "Session not found", 404 alone, 400 with "No valid session ID provided", or 200 with that error under the request\'s own id (a request without one gets `404-json`).',
    }),
    origins: z.array(label).max(MAX_ORIGINS).default([]).meta({
      description: 'Other origins of this server, each a port of its own on the same address: where `redirect` may lead.',
    }),
  })
  .meta({ description: 'How the server behaves over HTTP where no rule says otherwise.' });

/** The same with its defaults filled in. */
export type HttpOptions = z.infer<typeof httpOptions>;
