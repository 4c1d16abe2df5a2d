import type { Invariant } from './invariant.ts';

/** What a bridge puts on the wire and how it reads what comes from there. */
export const wireInvariants: readonly Invariant[] = [
  {
    id: 'WIRE-001',
    area: 'wire',
    statement: 'A bridge of tools sends no request of resources, prompts, completion or logging, whatever a server declares.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S13'] },
  },
  {
    id: 'WIRE-002',
    area: 'wire',
    statement: 'A ping from the server gets a result, and any other request from the server gets an error, before a call that the server received afterwards ends.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B21'], spec: ['basic/utilities/ping', 'basic'], reports: ['R44'] },
  },
  {
    id: 'WIRE-003',
    area: 'wire',
    statement: 'The same messages give the same tools and the same results however their bytes are cut, with CR LF, with a leading byte order mark, and with raw U+2028 and U+2029.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B25'], spec: ['basic/transports#stdio'], reports: ['R35', 'R36'] },
    transports: ['stdio'],
  },
  {
    id: 'WIRE-004',
    area: 'wire',
    statement: 'Lines on stdout that are no messages, before the handshake or between answers, cost neither a tool nor a call.',
    level: 'resilience',
    strength: 'MUST',
    sources: { requirements: ['B08', 'B27'], reports: ['R33'] },
    transports: ['stdio'],
  },
  {
    id: 'WIRE-005',
    area: 'wire',
    statement: 'Every answer reaches the call whose request it answers, whatever the order of the answers.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B26'], spec: ['basic'], reports: ['R41'] },
  },
  {
    id: 'WIRE-006',
    area: 'wire',
    statement: 'An answer whose id belongs to no request in flight, or came already, settles no call: each call ends with its own answer.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B26', 'B12'], spec: ['basic'], reports: ['R42'] },
  },
  {
    id: 'WIRE-007',
    area: 'wire',
    statement: 'Prompts and resources that a server declares and does not serve cost neither a tool nor a call.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['B28', 'B13'], reports: ['R15'] },
  },
];
