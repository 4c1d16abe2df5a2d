import type { Invariant } from './invariant.ts';

/** What holds over Streamable HTTP alone, in the areas it belongs to. Numbers from 030 on. */
export const httpInvariants: readonly Invariant[] = [
  {
    id: 'CONNECTION-030',
    area: 'connection',
    statement: 'A session that the server has ended, told by 404, is replaced: by a handshake that names no session, and then the list and the tools of the new session are there.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B09', 'S52', 'S56'], spec: ['basic/transports#session-management'], reports: ['R46'] },
    features: ['reconnect'],
    transports: ['streamable-http'],
  },
  {
    id: 'CONNECTION-031',
    area: 'connection',
    statement: 'A server over HTTP that was restarted, was down, or had another in its place for a while is found again, with the list and the tools that it has then.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B09', 'S52', 'S56'], reports: ['R24'] },
    features: ['reconnect'],
    transports: ['streamable-http'],
  },
  {
    id: 'CONNECTION-032',
    area: 'connection',
    statement: 'An expired session costs one handshake at most, the call that met it is not sent again and is never said to have been executed; where 400 counts as its end, it is replaced then too.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B09', 'B04'], reports: ['R46'] },
    features: ['reconnect'],
    transports: ['streamable-http'],
  },
  {
    id: 'CONNECTION-033',
    area: 'connection',
    statement: 'Closing gives each live session back with one DELETE, and settles also where the server does not take it.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B09', 'S60'], spec: ['basic/transports#session-management'], reports: ['R52'] },
    transports: ['streamable-http'],
  },
];
