import type { Invariant } from './invariant.ts';

/** What servers of one host do to each other, and what is left of them. */
export const isolationInvariants: readonly Invariant[] = [
  {
    id: 'ISOLATION-001',
    area: 'isolation',
    statement: 'A server that cannot be started, ends in the handshake, refuses it or its listing costs no other server a tool or a call.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B19', 'B27'], reports: ['R29', 'R32'] },
  },
  {
    id: 'ISOLATION-002',
    area: 'isolation',
    statement: 'A server that hangs or dies in a call fails no call of another server.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B19'], reports: ['R32'] },
  },
  {
    id: 'ISOLATION-003',
    area: 'isolation',
    statement: "No process of a server's tree is alive once the subject is closed, a helper that holds the pipes and one that ignores SIGTERM included.",
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B07', 'S60'], spec: ['basic/lifecycle#shutdown'], reports: ['R27'] },
    transports: ['stdio'],
  },
  {
    id: 'ISOLATION-004',
    area: 'isolation',
    statement: 'A process that leaves by itself when its input ends is given the time to: its input is ended first, and no signal ends it.',
    level: 'core',
    strength: 'SHOULD',
    sources: { requirements: ['B07', 'S60'], spec: ['basic/lifecycle#shutdown'], reports: ['R27'] },
    transports: ['stdio'],
  },
  {
    id: 'ISOLATION-005',
    area: 'isolation',
    statement: 'A process that stays when its input ends is sent SIGTERM, and has time to leave, before it is killed.',
    level: 'core',
    strength: 'SHOULD',
    sources: { requirements: ['B07', 'S60'], spec: ['basic/lifecycle#shutdown'] },
    transports: ['stdio'],
  },
];
