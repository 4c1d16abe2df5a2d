import type { HttpOptions } from '../../scenario/schema.ts';

/** The options of a scenario that gives none. They repeat the defaults of the schema, which no fixture process loads. */
export const DEFAULT_HTTP_OPTIONS: HttpOptions = {
  answers: 'event-stream',
  sessions: true,
  listen: true,
  eventIds: false,
  unheard: 'keep',
  unknownSession: '404-json',
  origins: [],
};
