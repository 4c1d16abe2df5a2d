/**
 * The stateful model (DESIGN.md §6): one server whose list changes, is announced, held, failed, whose calls overlap, which
 * crashes and is given up, in any order; and a small model of what must be so. Four invariants are judged over such runs,
 * each with plans weighted towards what could break it.
 */
import type { Bench } from '../../bench/bench.ts';
import { property, type Check, type PropertyCheck } from '../check.ts';
import { labelsOf, plans, type Weights } from './arbitrary.ts';
import { scriptOf, SERVER } from './lists.ts';
import { judgeNewestShown } from './newest-shown.ts';
import { judgeNothingLeft } from './nothing-left.ts';
import { judgeOwnAnswers } from './own-answers.ts';
import type { ModelPlan } from './plan.ts';
import { ModelRun, type ModelWorld } from './run.ts';
import { firstState } from './state.ts';
import { judgeWholeGeneration } from './whole-generation.ts';

/** Milliseconds for all runs of one check with its shrinking. */
const LIMIT_MS = 60_000;
/** Delays of a subject that reconnects: a crash must cost a run little. */
const QUICK_RECONNECT = { initialDelayMs: 20, maxDelayMs: 40 };

/** The server that the runs of one bench share: programmed anew for each, not started anew. */
const worlds = new WeakMap<Bench, ModelWorld>();

async function prepare(bench: Bench): Promise<void> {
  const idle: ModelPlan = { base: 0, size: 1, pageSize: 1, steps: [] };
  const quick = bench.subject.features.includes('reconnect') && bench.subject.options.includes('reconnect');
  const server = bench.serve(SERVER, scriptOf(firstState(idle), idle), quick ? { options: { reconnect: QUICK_RECONNECT } } : {});
  await bench.open([server]);
  worlds.set(bench, { server, phase: 'live' });
}

async function exercise(bench: Bench, plan: ModelPlan): Promise<void> {
  const world = worlds.get(bench);
  if (world === undefined) throw new Error('the model was not prepared on this bench');
  await new ModelRun(bench, world, plan).perform();
}

/** What differs from check to check. */
interface ModelCheck extends Pick<PropertyCheck<ModelPlan>, 'id' | 'invariant' | 'runs' | 'minimums' | 'judge'> {
  readonly weights: Weights;
  readonly longest: number;
}

function model({ weights, longest, ...rest }: ModelCheck): Check {
  return property<ModelPlan>({
    ...rest, arbitrary: plans(weights, { minLength: 3, maxLength: longest }), labels: labelsOf, prepare, exercise, limitMs: LIMIT_MS,
  });
}

/** The checks of the model. */
export const modelChecks: readonly Check[] = [
  model({
    id: 'GENERATION-050/model', invariant: 'GENERATION-050', runs: 20, longest: 14,
    weights: [['change', 6], ['notify', 3], ['hold', 5], ['release', 3], ['call', 1], ['start', 1], ['finish', 1], ['crash', 1], ['reload', 1]],
    minimums: { 'changed list announced': 6, 'listing of several pages held': 5, 'held listing fails': 3, 'crash while a listing is held': 1 },
    judge: judgeWholeGeneration,
  }),
  model({
    id: 'GENERATION-051/model', invariant: 'GENERATION-051', runs: 20, longest: 14,
    weights: [['change', 6], ['notify', 5], ['hold', 5], ['release', 4], ['call', 1]],
    minimums: { 'changed list announced': 8, 'change announced while a listing is held': 5, 'held listing fails': 3 },
    judge: judgeNewestShown,
  }),
  model({
    id: 'CALL-050/model', invariant: 'CALL-050', runs: 25, longest: 18,
    weights: [['start', 6], ['finish', 5], ['call', 2], ['cancel', 1], ['change', 2], ['notify', 2], ['hold', 1], ['release', 1], ['crash', 1], ['reload', 1]],
    minimums: { 'calls answered out of order': 6, 'call over a change of its list': 3, 'call while a listing is held': 3, 'crash during a call': 3, 'cancelled call': 3 },
    judge: judgeOwnAnswers,
  }),
  model({
    id: 'ISOLATION-050/model', invariant: 'ISOLATION-050', runs: 12, longest: 10,
    weights: [['remove', 4], ['add', 4], ['reload', 2], ['start', 2], ['hold', 2], ['change', 2], ['notify', 1], ['crash', 1]],
    minimums: { 'given up while something is held': 4, 'given up when dead': 1, 'given up and taken again': 4 },
    judge: judgeNothingLeft,
  }),
];
