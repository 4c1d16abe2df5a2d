import type { Invariant } from './invariant.ts';

/** Beginning, loss and end of a connection. */
export const connectionInvariants: readonly Invariant[] = [
  {
    id: 'CONNECTION-001',
    area: 'connection',
    statement: 'After a loss with reconnection off the tools stay registered, and a call of one fails at once as not executed and is never sent.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S55', 'S57', 'B05'] },
    transports: ['stdio'],
  },
  {
    id: 'CONNECTION-002',
    area: 'connection',
    statement: "A start that fails says why: the missing program, or the exit code and the last words on stderr.",
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B06', 'S06'], reports: ['R30'] },
    transports: ['stdio'],
  },
  {
    id: 'CONNECTION-003',
    area: 'connection',
    statement: 'A configured secret that a failing server prints occurs in no message and no log.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B18', 'B06'], reports: ['R54'] },
    transports: ['stdio'],
  },
];
