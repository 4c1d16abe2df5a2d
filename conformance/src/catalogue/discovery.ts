import type { Invariant } from './invariant.ts';

const area = 'discovery';

/** The invariants of `discovery`: from the pages a server answers to the tools a model is offered. */
export const discoveryInvariants: readonly Invariant[] = [
  {
    id: 'DISCOVERY-001', area, level: 'core', strength: 'MUST',
    statement: 'The registry holds the tools of every page, in listing order.',
    sources: { requirements: ['S24'], spec: ['server/utilities/pagination'], reports: ['R08'] },
  },
  {
    id: 'DISCOVERY-002', area, level: 'core', strength: 'MUST',
    statement: 'A cursor is opaque: the next page is asked for with the very string that the last one gave, and the first with none.',
    sources: { requirements: ['S24'], spec: ['server/utilities/pagination'], reports: ['R08', 'R10'] },
  },
  {
    id: 'DISCOVERY-003', area, level: 'core', strength: 'MUST',
    statement: 'A listing that brings nothing new and never ends is given up within bounds, and no page of it is asked for afterwards.',
    sources: { requirements: ['B01'], reports: ['R10'] },
  },
  {
    id: 'DISCOVERY-004', area, level: 'resilience', strength: 'MUST',
    statement: 'A listing that was given up registers no part of itself.',
    sources: { requirements: ['B01', 'S28'], reports: ['R10'] },
  },
  {
    id: 'DISCOVERY-005', area, level: 'resilience', strength: 'MUST',
    statement: 'A cursor that repeats while its pages bring new tools is followed to the end.',
    sources: { requirements: ['B01'], spec: ['server/utilities/pagination'], reports: ['R10'] },
  },
  {
    id: 'DISCOVERY-006', area, level: 'seed', strength: 'MUST', features: ['list-changes'],
    statement: 'A list with one tool name twice, or with two that share a public name, is void: the sync fails, says which, and the previous generation stays.',
    sources: { requirements: ['S26', 'S28'] },
  },
  {
    id: 'DISCOVERY-007', area, level: 'core', strength: 'MUST',
    statement: 'No registry holds one name twice, or two names for one tool, even if a server lists it twice.',
    sources: { requirements: ['S18', 'S26'], reports: ['R05'] },
  },
  {
    id: 'DISCOVERY-008', area, level: 'seed', strength: 'MUST',
    statement: 'Description and input schema are offered as they were listed: equal as JSON, keys in order, nothing added.',
    sources: { requirements: ['S25'], reports: ['R14'] },
  },
  {
    id: 'DISCOVERY-009', area, level: 'core', strength: 'MUST',
    statement: 'One odd entry of a list never costs its siblings.',
    sources: { requirements: ['B13'], reports: ['R11', 'R12', 'R14'] },
  },
  {
    id: 'DISCOVERY-010', area, level: 'core', strength: 'MUST',
    statement: 'No listed entry is lost in silence: it is offered and callable, or a warning or error says what became of it.',
    sources: { requirements: ['S29', 'B13'], reports: ['R11'] },
  },
  {
    id: 'DISCOVERY-011', area, level: 'core', strength: 'MUST',
    statement: 'A listing ends where no cursor is given, absent or null; an empty page ends nothing, and an empty list is a list.',
    sources: { requirements: ['S24'], spec: ['server/utilities/pagination'], reports: ['R10'] },
  },
  {
    id: 'DISCOVERY-014', area, level: 'core', strength: 'MUST',
    statement: 'No parameter of an input schema without an object root is lost in silence: the offered schema has it too, or a warning or error names the tool.',
    sources: { requirements: ['B13'], reports: ['R11', 'R14'] },
  },
  {
    id: 'DISCOVERY-015', area, level: 'seed', strength: 'MUST',
    statement: 'A tool whose input schema has no object root is named in a warning or an error.',
    sources: { requirements: ['B13'], reports: ['R11'] },
  },
];
