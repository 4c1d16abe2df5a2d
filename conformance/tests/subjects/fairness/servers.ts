/** How many servers a bridge takes. */
import { liberty, type Liberty } from './vary.ts';

/** Liberties of sets of servers. */
export const serverLiberties: readonly Liberty[] = [
  liberty('takes one server', ['NAMING-006', 'NAMING-008', 'NAMING-010', 'GENERATION-050', 'CALL-004', 'ISOLATION-003', 'ISOLATION-050', 'HOST-002', 'HOST-003'], { declares: { servers: 'one' } }),
  liberty('takes its servers when it opens and no others', ['NAMING-006', 'GENERATION-050', 'CONNECTION-019', 'ISOLATION-050', 'HOST-003'], { declares: { servers: 'fixed' } }),
];
