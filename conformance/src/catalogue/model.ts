import type { Invariant } from './invariant.ts';

/** What the stateful model judges, whole sequences rather than one rule. */
export const modelInvariants: readonly Invariant[] = [
  {
    id: 'GENERATION-050',
    area: 'generation',
    statement: 'Through any order of list changes, announcements, held and failed listings, calls and crashes, the registry holds at each moment one list of each server, whole.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S28', 'S30', 'S31', 'B01'], spec: ['server/tools#list-changed-notification'], reports: ['R16', 'R20'] },
  },
  {
    id: 'GENERATION-051',
    area: 'generation',
    statement: 'Whenever things have settled, whatever came before, the registry holds of each server a list at least as new as the last one announced.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S27', 'S31', 'B02'], spec: ['server/tools#list-changed-notification'], reports: ['R16'] },
  },
  {
    id: 'CALL-050',
    area: 'call',
    statement: 'Through any order of calls, answers, list changes, crashes and reloads, every call reaches its server at most once and settles, with its own answer where the server lived.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B04', 'B05', 'B26', 'S34'], spec: ['server/tools#calling-tools'], reports: ['R21', 'R41'] },
  },
  {
    id: 'ISOLATION-050',
    area: 'isolation',
    statement: 'A server that is given up in any state, with a listing or calls open, or dead already, alone or with the whole subject, leaves no tool and no process.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S60', 'B07'], spec: ['basic/lifecycle#shutdown'], reports: ['R27'] },
  },
];
