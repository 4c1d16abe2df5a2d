/** The phases of a connection in which a server may misbehave (DESIGN.md §5). */
import type { Carrier } from '../scenario/carrier.ts';
import type { Rule } from '../scenario/schema.ts';

/** One phase. */
export interface Phase {
  readonly name: string;
  /** What a rule of this phase waits for. */
  readonly when: Rule['when'];
  /** What of it the script can answer: a request of the client, something else of the client's, or nothing. */
  readonly answers: 'request' | 'notice' | 'nothing';
}

/** The signal by which a test says that a connection is idle. */
export const IDLE_SIGNAL = 'idle';
/** How many tools each page of the cells' scenarios has. */
export const PAGE_SIZE = 2;
const SECOND_PAGE = { method: 'tools/list', params: { cursor: `offset:${PAGE_SIZE}` } };

/** All phases, in the order of a connection's life. */
export const PHASES: readonly Phase[] = [
  { name: 'spawn', when: { spawn: true }, answers: 'nothing' },
  { name: 'initialize', when: { method: 'initialize' }, answers: 'request' },
  { name: 'notification', when: { method: 'notifications/initialized' }, answers: 'notice' },
  { name: 'listing page 2', when: { ...SECOND_PAGE, nth: 1 }, answers: 'request' },
  { name: 'listing after a change', when: { ...SECOND_PAGE, nth: 2 }, answers: 'request' },
  { name: 'idle', when: { signal: IDLE_SIGNAL }, answers: 'nothing' },
  { name: 'call in flight', when: { method: 'tools/call' }, answers: 'request' },
  { name: 'shutdown', when: { inputEnd: true }, answers: 'notice' },
];

/** Both carriers. */
export const CARRIERS: readonly Carrier[] = ['stdio', 'streamable-http'];
