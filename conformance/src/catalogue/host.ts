import type { Invariant } from './invariant.ts';

/** What a bridge owes the host around it. */
export const hostInvariants: readonly Invariant[] = [
  {
    id: 'HOST-001',
    area: 'host',
    statement: 'When the opening of a server has settled, its tools are registered, however long its start takes: the first turn sees them.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S12'] },
    transports: ['stdio'],
  },
  {
    id: 'HOST-002',
    area: 'host',
    statement: 'Any number of servers live side by side in one host, each with a process and tools of its own.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S11', 'B19'] },
    transports: ['stdio'],
    elsewhere: 'that one package is loaded so often from a `cordis.yml`: bridge/tests/host/cordis-hosts.test.ts and bridge/tests/plugin-hosts.test.ts',
  },
  {
    id: 'HOST-003',
    area: 'host',
    statement: 'An entry that is loaded again, edited or not, takes effect: the old process is gone before the new one begins, and every tool keeps its name.',
    level: 'core',
    strength: 'MUST',
    sources: { requirements: ['S61', 'S17'], reports: ['R26'] },
    features: ['reload'],
    transports: ['stdio'],
    elsewhere: "that a real loader does so when a `cordis.yml` is edited: bridge/tests/dsh/hot-reload.test.ts",
  },
];
