/** Checks on real servers: invariants of other areas, held against programs and a library that people use (DESIGN.md §7). */
import { scripted, type Check, type ScriptedCheck, type Target } from '../check.ts';
import { judgeDerived } from '../naming/scheme.ts';
import { onRealServer, visitCalls, visitNothing, type Visit } from './exercise.ts';
import {
  judgeKnownAnswers, judgeKnownFailures, judgeNamesDistinct, judgeNamesLegal, judgeNamespace, judgeNoProcessLeft, judgeRawNames, judgeTaskRefused,
  judgeTruthFaithful, judgeTruthOffered,
} from './judges.ts';

/** Milliseconds for one exercise: a real program takes a second to start where many start at once. */
const LIMIT_MS = 60_000;
const PROGRAMS: readonly Target[] = ['server-everything', 'server-filesystem'];
const LIBRARY: readonly Target[] = ['sdk-http'];
const ALL: readonly Target[] = [...PROGRAMS, ...LIBRARY];

function real(invariant: ScriptedCheck['invariant'], targets: readonly Target[], visit: Visit, judge: ScriptedCheck['judge']): Check {
  return scripted({ id: `${invariant}/real`, invariant, targets, exercise: onRealServer(visit), judge, limitMs: LIMIT_MS });
}

/** The checks on real servers. Where a name is to be seen on the wire, the server in this process is the witness. */
export const realChecks: readonly Check[] = [
  real('NAMING-001', ALL, visitNothing, judgeNamesLegal),
  real('NAMING-002', ALL, visitNothing, judgeNamesDistinct),
  real('NAMING-004', ALL, visitNothing, judgeNamespace),
  real('NAMING-005', LIBRARY, visitCalls, judgeDerived),
  real('NAMING-007', LIBRARY, visitCalls, judgeRawNames),
  real('DISCOVERY-001', ALL, visitNothing, judgeTruthOffered),
  real('DISCOVERY-008', ALL, visitNothing, judgeTruthFaithful),
  real('CALL-006', ALL, visitCalls, judgeKnownFailures),
  real('CALL-016', ['server-everything'], visitCalls, judgeTaskRefused),
  real('PROJECTION-001', ALL, visitCalls, judgeKnownAnswers),
  real('ISOLATION-003', PROGRAMS, visitCalls, judgeNoProcessLeft),
];
