/**
 * The stateful model (DESIGN.md §6): one server or two whose lists change, are announced, held, failed, whose calls overlap,
 * which crash and are given up, alone or with the whole subject, in any order; and a small model of what must be so. Four
 * invariants are judged over such runs, each with plans weighted towards what could break it.
 */
import type { Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import { property, type Check, type PropertyCheck } from '../check.ts';
import type { Pace } from '../pace.ts';
import { perBench } from '../per-bench.ts';
import { plans, type PlanKind } from './arbitrary.ts';
import { labelsOf } from './labels.ts';
import { scriptOf } from './lists.ts';
import { judgeNewestShown } from './newest-shown.ts';
import { judgeNothingLeft } from './nothing-left.ts';
import { judgeOwnAnswers } from './own-answers.ts';
import type { ModelPlan } from './plan.ts';
import { ofWholeRuns } from './reading.ts';
import { ModelRun, type ModelWorld } from './run.ts';
import { rulesOf } from './rules.ts';
import { allServers } from './servers.ts';
import { firstState } from './state.ts';
import { judgeWholeGeneration } from './whole-generation.ts';

/** Milliseconds for one run: some ten steps, the slowest of which waits out the subject's declared bound. */
const LIMIT_MS = 30_000;
/** Milliseconds to make a plan smaller: some thirty tries, ten of which fail, and those take a second each and a start of the subject. */
const SHRINK_LIMIT_MS = 30_000;
/**
 * Options that make runs short, for a subject that honours them: a crash and an announcement cost little. What is judged
 * does not depend on them.
 */
const QUICK_OPTIONS: Readonly<Record<string, unknown>> = {
  reconnect: { initialDelayMs: 20, maxDelayMs: 40 },
  listChangeQuietMs: 10,
  listChangeMaxWaitMs: 50,
};

/** The servers that the runs of one bench share: programmed anew for each, not started anew. */
const worlds = perBench<ModelWorld>();

async function prepare(bench: Bench): Promise<void> {
  const idle: ModelPlan = { base: 0, size: 1, pageSize: 1, steps: [] };
  const options = Object.fromEntries(Object.entries(QUICK_OPTIONS).filter(([name]) => bench.subject.options.includes(name)));
  const servers = allServers(idle.base, rulesOf(bench.subject)).map((server) =>
    bench.serve(server.name, scriptOf(firstState(idle, server), idle), { options }));
  await bench.open(servers);
  worlds.set(bench, { servers, phases: servers.map(() => 'live') });
}

/** For what only a subject can be asked for that follows its servers in some way. */
async function prepareFollowing(bench: Bench): Promise<void> {
  if (!rulesOf(bench.subject).follows) throw new NotApplicable('the subject neither follows announcements nor lists afresh');
  await prepare(bench);
}

async function exercise(bench: Bench, plan: ModelPlan, pace: Pace): Promise<void> {
  await new ModelRun(bench, worlds.get(bench), plan, pace).perform();
}

/** What differs from check to check. */
type ModelCheck = Pick<PropertyCheck<ModelPlan>, 'id' | 'invariant' | 'runs' | 'minimums' | 'judge' | 'prepare'> & PlanKind;

function model({ weights, meetings, meeting, longest, pages, judge, ...rest }: ModelCheck): Check {
  const arbitrary = plans({ weights, meetings, meeting, longest, pages });
  return property<ModelPlan>({
    prepare, ...rest, judge: ofWholeRuns(judge), arbitrary, labels: labelsOf, exercise, limitMs: LIMIT_MS,
    shrinkLimitMs: SHRINK_LIMIT_MS,
  });
}

/**
 * The checks of the model. Every label that is required is met in seven plans of ten or more, so that no seed is unlucky;
 * the tests assert it.
 */
export const modelChecks: readonly Check[] = [
  model({
    id: 'GENERATION-050/model', invariant: 'GENERATION-050', runs: 20, longest: 3, pages: 'several', meeting: 4,
    weights: [
      ['call', 1], ['announced', 1], ['renamed', 5], ['overlapped', 4], ['failed-listing', 5], ['over-a-change', 1], ['crash-in-listing', 1],
    ],
    meetings: [['changed-beside-a-listing', 1], ['lost-beside-a-listing', 4]],
    minimums: {
      'changed list announced': 2, 'listing of several pages held': 2, 'held listing fails': 2, 'renamed tool announced': 1,
      'server lost while another listing is held': 1,
    },
    judge: judgeWholeGeneration,
  }),
  model({
    id: 'GENERATION-051/model', invariant: 'GENERATION-051', runs: 20, longest: 3, pages: 'several', meeting: 3, prepare: prepareFollowing,
    weights: [['call', 1], ['announced', 1], ['renamed', 3], ['overlapped', 6], ['failed-listing', 4]],
    meetings: [['changed-beside-a-listing', 1]],
    minimums: {
      'changed list announced': 2, 'change announced while a listing is held': 2, 'held listing fails': 2, 'renamed tool announced': 1,
      'change announced while another listing is held': 1,
    },
    judge: judgeNewestShown,
  }),
  model({
    id: 'CALL-050/model', invariant: 'CALL-050', runs: 20, longest: 4, pages: 'one', meeting: 4,
    weights: [['start', 1], ['out-of-order', 6], ['over-a-change', 2], ['call-in-listing', 5], ['cancelled', 1], ['crash-in-call', 2]],
    meetings: [['lost-beside-a-call', 8], ['same-name-called', 1], ['called-beside-a-listing', 1]],
    minimums: {
      'calls answered out of order': 1, 'call over a change of its list': 1, 'call while a listing is held': 1, 'crash during a call': 1, 'cancelled call': 1,
      'server lost while a call is under way at another': 1,
    },
    judge: judgeOwnAnswers,
  }),
  model({
    id: 'ISOLATION-050/model', invariant: 'ISOLATION-050', runs: 10, longest: 2, pages: 'one', meeting: 9,
    weights: [['left-while-held', 4], ['left-when-dead', 7]],
    meetings: [['disposed', 1]],
    minimums: {
      'given up while something is held': 1, 'given up when dead': 1, 'given up and taken again': 1, 'disposed while calls are under way at two servers': 1,
      'list changed while all is closed': 1,
    },
    judge: judgeNothingLeft,
  }),
];
