import type { Invariant } from './invariant.ts';

const area = 'naming';

/** The invariants of `naming`: what a tool is called for the model, and what the server is sent. */
export const namingInvariants: readonly Invariant[] = [
  {
    id: 'NAMING-001', area, level: 'core', strength: 'MUST',
    statement: 'Every public name is legal: the pattern and the length that the naming scheme declares, whatever a server calls its tools.',
    sources: { requirements: ['S14'], reports: ['R01'] },
  },
  {
    id: 'NAMING-002', area, level: 'core', strength: 'MUST',
    statement: 'No public name stands for two tools, and every listed tool has a name of its own that reaches it or is refused by name, loudly.',
    sources: { requirements: ['S18'], reports: ['R02', 'R05'] },
  },
  {
    id: 'NAMING-003', area, level: 'seed', strength: 'MUST',
    statement: 'Where two live servers would give one public name to two tools, the sync that would make the second fails before its swap, and the error names both tools and both servers.',
    sources: { requirements: ['S18', 'S21', 'S28'] },
  },
  {
    id: 'NAMING-004', area, level: 'seed', strength: 'MUST',
    statement: 'A clean name of at most 64 characters is mcp__<serverName>__<rawName>, verbatim.',
    sources: { requirements: ['S15', 'S17'] },
  },
  {
    id: 'NAMING-005', area, level: 'seed', strength: 'MUST',
    statement: 'Any other name is the first 51 characters with each illegal code unit replaced by _, then _ and the first 12 hex digits of SHA-256 over the identity.',
    sources: { requirements: ['S16', 'S17'], reports: ['R02'] },
  },
  {
    id: 'NAMING-006', area, level: 'core', strength: 'MUST',
    statement: 'A tool keeps its public name whatever else connects, disconnects, re-syncs or reloads, and in whatever order.',
    sources: { requirements: ['S17', 'S20', 'S21'] },
  },
  {
    id: 'NAMING-007', area, level: 'core', strength: 'MUST',
    statement: 'tools/call carries the listed name of the called tool, byte for byte; the public name is never sent in its place.',
    sources: { requirements: ['S19'], spec: ['server/tools#calling-tools'], reports: ['R01', 'R04'] },
  },
  {
    id: 'NAMING-008', area, level: 'core', strength: 'MUST',
    statement: 'The same raw name on two servers and a native tool of that name coexist, each with a name that reaches it alone.',
    sources: { requirements: ['S22'], reports: ['R05'] },
  },
  {
    id: 'NAMING-009', area, level: 'core', strength: 'MUST',
    statement: "What a server calls itself in serverInfo plays no part in any tool's name.",
    sources: { requirements: ['S23'] },
  },
  {
    id: 'NAMING-010', area, level: 'core', strength: 'MUST',
    statement: 'Names that mean something to a programming language are data: such tools, on servers that are called so too, are listed and called like any other.',
    sources: { requirements: ['B15'], reports: ['R07'] },
  },
];
