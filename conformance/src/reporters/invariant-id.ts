import { z } from 'zod';
import type { InvariantId } from '../catalogue/invariant.ts';

/** The id of an invariant in a file: its form; whether there is one of that id is another question. */
export const invariantId = z.custom<InvariantId>((value) => typeof value === 'string' && /^[A-Z]+-\d+$/.test(value), 'no id of an invariant, such as NAMING-003');
