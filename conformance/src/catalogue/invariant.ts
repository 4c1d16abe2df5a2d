import type { Area } from 'mcp-fixture-server/case';
import type { Feature, Level } from '../adapter/messages.ts';

/** `NAMING-003`: the area in capitals and a number that is never used again. */
export type InvariantId = `${Uppercase<Area>}-${number}`;

/** One numbered statement with its source (DESIGN.md §6). */
export interface Invariant {
  readonly id: InvariantId;
  readonly area: Area;
  /** One sentence that can be true or false of a history. */
  readonly statement: string;
  readonly level: Level;
  readonly strength: 'MUST' | 'SHOULD';
  readonly sources: {
    /** S- and B-numbers of the requirements. */
    readonly requirements: readonly string[];
    /** Sections of the Model Context Protocol specification, revision 2025-11-25. */
    readonly spec?: readonly string[];
    /** R-numbers of public reports. */
    readonly reports?: readonly string[];
  };
  /** Features without which the invariant is not applicable. */
  readonly features?: readonly Feature[];
  /** Transports it needs; default: whatever its checks use. */
  readonly transports?: readonly ('stdio' | 'streamable-http')[];
  /**
   * What of its sources cannot be seen from outside a bridge, and the tests that hold it for the reference: a rule only half
   * of which a check can refute says so.
   */
  readonly elsewhere?: string;
}

/** A requirement or report that no invariant cites, and why. */
export interface Exclusion {
  readonly number: string;
  readonly reason: string;
}
