import type { Invariant } from './invariant.ts';

/** What the process of a server is given. */
export const environmentInvariants: readonly Invariant[] = [
  {
    id: 'ENVIRONMENT-001',
    area: 'environment',
    statement: 'A child inherits every variable of the host but those whose names contain KEY, PASSWORD, SECRET or TOKEN in any case or begin with DSH_.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S51'], reports: ['R67'] },
    transports: ['stdio'],
  },
  {
    id: 'ENVIRONMENT-002',
    area: 'environment',
    statement: 'The configured env reaches the child as it is, over what the host has, whatever its names.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S51', 'S03'], reports: ['R67'] },
    transports: ['stdio'],
  },
  {
    id: 'ENVIRONMENT-003',
    area: 'environment',
    statement: 'The configured arguments reach the program one by one and untouched by a shell, and it runs in the configured cwd, or in that of the host.',
    level: 'seed',
    strength: 'MUST',
    sources: { requirements: ['S03'] },
    transports: ['stdio'],
  },
];
