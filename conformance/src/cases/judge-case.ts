/**
 * Judges a case: each invariant it names, by what the case says has to be so, by the judge that reads any history where
 * there is one, and by that of the check it was written from. Nothing is passed that nobody judged.
 */
import type { CaseFile } from 'mcp-fixture-server/case';
import { fail, inconclusive, pass, type Judgement } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import { latestRun } from '../history/recorder.ts';
import type { History } from '../history/schema.ts';
import { judgeExpectations } from './expectations.ts';
import { caseJudges } from './judges/index.ts';
import { brokenSteps } from './step-marks.ts';

/** To these a list that was awaited in vain is the failure itself. */
const FOLLOWS_LISTS: ReadonlySet<string> = new Set(['DISCOVERY-001', 'GENERATION-001', 'GENERATION-007', 'GENERATION-051']);

/** What became of one invariant of a case. */
export interface CaseJudgement extends Judgement {
  readonly invariant: string;
}

/** Judges every invariant in `judge`, in its order. Pure. */
export function judgeCase(file: CaseFile, history: History): CaseJudgement[] {
  const expectations = judgeExpectations(file, history);
  const broken = brokenSteps(file, history)[0];
  return file.judge.map((invariant): CaseJudgement => {
    const stated = expectations.filter(({ speaksFor }) => speaksFor === undefined || speaksFor.includes(invariant)).map(({ judgement }) => judgement);
    const own = ownJudge(file, invariant, history);
    const general = own === undefined ? caseJudges[invariant]?.(history) : undefined;
    const all = [own, general, ...stated].filter((one) => one !== undefined);
    const worst = all.find(({ verdict }) => verdict === 'fail') ?? all.find(({ verdict }) => verdict === 'inconclusive') ?? all.find(({ verdict }) => verdict === 'not-applicable');
    if (worst !== undefined) return { invariant, ...worst };
    if (all.length === 0) return { invariant, ...unjudged(invariant) };
    // What an own judge passed is passed: it knows which waits of its exercise may be in vain.
    if (broken !== undefined && own === undefined) {
      const vain = file.steps[broken.index];
      const isList = vain !== undefined && 'await' in vain && 'rawTools' in vain.await;
      return { invariant, ...(isList && FOLLOWS_LISTS.has(invariant) ? fail : inconclusive)(broken.text, [broken.evidence]) };
    }
    const [first] = all;
    return { invariant, ...(stated.length > 0 && own === undefined && general === undefined ? pass(`what the case expects was so, ${stated.length} times`) : (first ?? pass(''))) };
  });
}

/** The judge of the check that the case was written from, for its own invariant. */
function ownJudge(file: CaseFile, invariant: string, history: History): Judgement | undefined {
  const check = file.check === undefined ? undefined : checks.find(({ id }) => id === file.check);
  return check?.invariant === invariant ? check.judge(latestRun(history)) : undefined;
}

function unjudged(invariant: string): Judgement {
  const own = checks.filter((check) => check.invariant === invariant).map(({ id }) => id);
  return inconclusive(`${invariant} cannot be judged on a free case, and the case says nothing that has to be so for it: add an \`expect\`, or replay ${own.join(' or ')}`);
}
