/**
 * The kill table: which defects the suite has been shown to find, and by the checks of which invariant. It is published with
 * each report, so that a reader knows what a pass is worth.
 */
import { z } from 'zod';
import { invariantId } from './invariant-id.ts';

/** One planted defect. */
const killRow = z.object({
  mutant: z.string().meta({ description: 'The invariant it breaks and what is wrong with it.' }),
  kind: z.enum(['stage', 'adapter', 'wire']),
  kills: invariantId.meta({ description: 'The invariant of which a check fails with it.' }),
  neighbours: z.array(invariantId).meta({ description: 'Invariants that may fail with it too.' }),
});

/** The file. */
export const killTable = z.object({ killTable: z.literal(1), mutants: z.int(), rows: z.array(killRow) });

/** One planted defect. */
export type KillRow = z.infer<typeof killRow>;
/** The table. */
export type KillTable = z.infer<typeof killTable>;
