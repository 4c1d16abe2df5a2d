import type { Invariant } from './invariant.ts';

/** What a wrong entry does. */
export const configInvariants: readonly Invariant[] = [
  {
    id: 'CONFIG-001',
    area: 'config',
    statement: 'A wrong config fails its own instance at load with a message that names the member, and no other instance.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S09', 'S02', 'S05', 'S07'] },
  },
  {
    id: 'CONFIG-002',
    area: 'config',
    statement: 'A second instance with a serverName that is live fails at load with a message that says that name; the first one keeps its tools.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S08', 'S21'] },
  },
];
