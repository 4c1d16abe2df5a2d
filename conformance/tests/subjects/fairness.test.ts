/**
 * Bridges that use a freedom which `core` leaves are failed by no check, and none is inconclusive. Run are the checks that
 * could take offence, with few inputs; `FAIRNESS=checks` runs every core check on each, `FAIRNESS=all` with all its inputs.
 */
import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/checks/check.ts';
import type { SubjectDescription } from '../../src/adapter/bridge-adapter.ts';
import { plansOf } from '../../src/runner/plans.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { liberties } from './fairness/index.ts';

/** Fixed, so that what fails does so again. */
const SEED = 20_261_201;
/** Inputs of a property: what a liberty breaks it breaks with nearly each. */
const INPUTS = 2;
/** Milliseconds for one bridge on a busy machine. */
const LIMIT_MS = 300_000;

const { FAIRNESS } = process.env;
const everything = FAIRNESS === 'checks' || FAIRNESS === 'all';

function shortened(check: Check): Check {
  return check.kind === 'property' && FAIRNESS !== 'all' ? { ...check, runs: Math.min(check.runs, INPUTS), minimums: {} } : check;
}

/** Why a check may leave a bridge alone: something that the bridge does not declare. */
function isGated(message: string, { servers, names, features, transports }: SubjectDescription): boolean {
  const transport = /the transport ([a-z-]+)/.exec(message)?.[1];
  if (transport !== undefined) return transports.every((declared) => declared !== transport);
  const feature = /the feature ([a-z-]+)/.exec(message)?.[1];
  if (feature !== undefined) return features.every((declared) => declared !== feature);
  if (/one server only|servers are (one|fixed)/.test(message)) return servers !== 'dynamic';
  if (message.includes('names that do not carry the server')) return names.scheme === 'own' && !names.qualified;
  // What it does not do and nobody has to, seen by the judge itself.
  if (/asks for no event stream|does not come back for a stream|keeps no session that could end/.test(message)) return true;
  return /does not honour the option|neither follows announcements nor lists afresh/.test(message);
}

describe('a bridge that', () => {
  it.concurrent.each(liberties.map((one) => [one.name, one] as const))('%s', async (_name, { create, probes }) => {
    const worker = new SubjectWorker(create);
    const offended: string[] = [];
    let passed = 0;
    try {
      const { subject } = await worker.live();
      for (const plan of plansOf({ ...(everything ? {} : { only: probes }), targets: ['fixture'] })) {
        if (plan.invariant.level !== 'core') continue;
        const { verdict, message } = await runCheck({ ...plan, check: shortened(plan.check) }, worker, { seed: SEED, shrinkLimitMs: 0 });
        if (verdict === 'pass') passed += 1;
        else if (verdict !== 'not-applicable' || !isGated(message, subject)) offended.push(`${plan.check.id} ${verdict}: ${message}`);
      }
    } finally {
      worker.discard();
    }
    expect(offended).toEqual([]);
    expect(passed).toBeGreaterThan(2);
  }, everything ? 6 * LIMIT_MS : LIMIT_MS);
});
