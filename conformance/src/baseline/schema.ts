/**
 * A baseline: failures that are known, each with its reason. It burns down: an entry that no longer fits is an error.
 */
import { z } from 'zod';

/** The version a baseline names. */
export const BASELINE_VERSION = 1;

const entry = z.strictObject({
  check: z.string('name the check or the invariant that fails').min(1, 'name the check or the invariant that fails')
    .meta({ description: 'A check, `NAMING-004/vectors`, or an invariant, `NAMING-004`, for all its checks.' }),
  target: z.enum(['fixture', 'server-everything', 'server-filesystem', 'sdk-http'], 'give fixture, server-everything, server-filesystem or sdk-http, or leave it out').optional()
    .meta({ description: 'Only with this target; default: with any.' }),
  message: z.string('give the beginning of what the judge says, or "" for whatever it says')
    .meta({ description: 'The beginning of what the judge says: another message is another failure. Empty: any.' }),
  reason: z.string('say why this failure is accepted').trim().min(1, 'say why this failure is accepted')
    .meta({ description: 'Why this failure is accepted, for whoever reads it next.' }),
});

/** A whole baseline. */
export const baselineFile = z.strictObject({
  baseline: z.literal(BASELINE_VERSION, `write "baseline: ${BASELINE_VERSION}"`),
  known: z.array(entry, 'give a list of entries with check, message and reason; an empty one is []'),
}).meta({ title: 'Known failures of a bridge' });

/** One known failure. */
export type BaselineEntry = z.infer<typeof entry>;
/** A whole baseline. */
export type Baseline = z.infer<typeof baselineFile>;
