import type { Invariant } from './invariant.ts';

const area = 'generation';

/** The invariants of `generation`: how the registry follows a list that changes. Numbers from 050 on are in model.ts. */
export const generationInvariants: readonly Invariant[] = [
  {
    id: 'GENERATION-001', area, level: 'core', strength: 'MUST',
    statement: 'Once a change of the list has settled, the registry holds the new list, whole and in its order, and nothing of the old one.',
    sources: { requirements: ['S27'], spec: ['server/tools#list-changed-notification'], reports: ['R16'] },
  },
  {
    id: 'GENERATION-002', area, level: 'core', strength: 'MUST',
    statement: 'A tool that did not change keeps its name, description and parameters, JSON-identical, through every re-sync.',
    sources: { requirements: ['S27', 'S33'] },
  },
  {
    id: 'GENERATION-003', area, level: 'seed', strength: 'MUST', features: ['list-changes'],
    statement: "A re-sync to an unchanged list changes nothing in the registry: every definition stays in its place, other servers' included.",
    sources: { requirements: ['S33'] },
  },
  {
    id: 'GENERATION-004', area, level: 'core', strength: 'MUST', features: ['list-changes'],
    statement: 'A sync that fails keeps the previous generation, whole and callable, and the next good one is followed.',
    sources: { requirements: ['S28'], reports: ['R20'] },
  },
  {
    id: 'GENERATION-005', area, level: 'core', strength: 'MUST', features: ['list-changes'],
    statement: 'A sync that fails is reported at warn or error.',
    sources: { requirements: ['S28'], reports: ['R20'] },
  },
  {
    id: 'GENERATION-006', area, level: 'core', strength: 'MUST', features: ['list-changes'],
    statement: 'A swap is never seen half done: each registry that is told or looked at holds the old set or the new one.',
    sources: { requirements: ['S30'] },
  },
  {
    id: 'GENERATION-007', area, level: 'core', strength: 'MUST', features: ['list-changes'],
    statement: 'A change that is announced while a listing is under way is not lost.',
    sources: { requirements: ['S31', 'B02'] },
  },
  {
    id: 'GENERATION-008', area, level: 'seed', strength: 'MUST', features: ['list-changes'],
    statement: 'Syncs of one server never interleave: no listing begins while a page of another is unanswered.',
    sources: { requirements: ['S31'] },
  },
  {
    id: 'GENERATION-009', area, level: 'core', strength: 'MUST', features: ['list-changes'],
    statement: 'A burst of announcements costs a bounded number of listings, whatever its length, and its last change is not lost.',
    sources: { requirements: ['B02'], reports: ['R17'] },
  },
  {
    id: 'GENERATION-010', area, level: 'resilience', strength: 'MUST', features: ['list-changes'],
    statement: 'A server that answers every listing with another announcement makes nothing spin, and calls still go through.',
    sources: { requirements: ['B02', 'B24'] },
  },
  {
    id: 'GENERATION-011', area, level: 'seed', strength: 'MUST', features: ['list-changes', 'shared-registry'],
    statement: "A foreign tool in the way rolls the whole generation back: none of that server's tools is left, an error says so, the foreign tool and the connection stay, and the next clean sync restores the tools.",
    sources: { requirements: ['S32'] },
  },
  {
    id: 'GENERATION-012', area, level: 'resilience', strength: 'MUST', features: ['list-changes'],
    statement: 'A listing that follows an announcement and is never answered is given up at its limit and reported: calls go through meanwhile, the old tools stay, and the next announcement is followed.',
    sources: { requirements: ['B03', 'S31', 'B02'], spec: ['basic/lifecycle#timeouts'] },
  },
  {
    id: 'GENERATION-013', area, level: 'resilience', strength: 'SHOULD', features: ['list-changes'],
    statement: 'A listing that is given up is cancelled by its id.',
    sources: { requirements: ['B03'], spec: ['basic/lifecycle#timeouts'] },
  },
  {
    id: 'GENERATION-014', area, level: 'resilience', strength: 'MUST', features: ['list-changes'],
    statement: 'Cost does not grow with the number of changes: the later ones cost about as many listings as the first.',
    sources: { requirements: ['B24'] },
  },
];
