/**
 * One case against one subject: performed, judged, and performed again where something did not hold, since only what recurs
 * is a failure.
 */
import type { CaseFile } from 'mcp-fixture-server/case';
import type { Level } from '../adapter/messages.ts';
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import { BenchTimeout, NotApplicable, within } from '../bench/endings.ts';
import type { LiveBench } from '../bench/live-bench.ts';
import { invariantById } from '../catalogue/index.ts';
import type { Verdict } from '../checks/check.ts';
import type { History } from '../history/schema.ts';
import { judgedLevels, whyNotApplicable } from '../runner/applicability.ts';
import { settleVerdict } from '../runner/second-try.ts';
import type { SubjectWorker } from '../runner/subject-worker.ts';
import { benchesOf, withBench } from '../runner/with-bench.ts';
import { whyCaseNotApplicable } from './host-spec.ts';
import { judgeCase, type CaseJudgement } from './judge-case.ts';
import { CaseRun } from './perform.ts';
import { startProxy, type SuiteProxy } from './suite-proxy.ts';

/** The word of a case for the suite's own proxy. */
const SUITE_PROXY = 'suite';

/** How long one run of a case may take, in milliseconds: every wait of it has a bound of its own, and there may be many. */
export const CASE_LIMIT_MS = 120_000;

/** What became of one invariant of a case. */
export interface CaseVerdict {
  readonly invariant: string;
  readonly verdict: Verdict;
  /** One sentence. */
  readonly message: string;
  /** Positions in the history of the result. */
  readonly evidence?: readonly number[];
}

/** What a case showed. */
export interface CaseResult {
  readonly verdicts: readonly CaseVerdict[];
  /** What was observed; absent when the case cannot be run against this subject. */
  readonly history?: History;
}

/** How a case is run. */
export interface CaseOptions {
  readonly seed: number;
  /** Levels to judge by; default: all that the subject declares. */
  readonly levels?: readonly Level[];
  /** Default {@link CASE_LIMIT_MS}. */
  readonly limitMs?: number;
}

/** Performs a case once, and says what became of one invariant. @throws AdapterError */
export async function tryCase(file: CaseFile, invariant: string, worker: SubjectWorker, options: CaseOptions): Promise<CaseVerdict> {
  try {
    const tried = await withBench(benchesOf(worker), options.seed, (bench) => attempt(file, bench, options.limitMs ?? CASE_LIMIT_MS));
    return settled(invariant, tried, undefined);
  } catch (error) {
    if (error instanceof NotApplicable) return none(invariant, error.message);
    throw error;
  }
}

interface Attempted {
  readonly judgements: readonly CaseJudgement[];
  readonly history: History;
  readonly broken: boolean;
}

/**
 * Runs a case.
 * @throws AdapterError when the way to the subject is wrong: no verdict.
 */
export async function runCase(file: CaseFile, worker: SubjectWorker, options: CaseOptions): Promise<CaseResult> {
  const { environment = {}, proxy: wanted } = file.host ?? {};
  const proxy = wanted === SUITE_PROXY ? await startProxy() : undefined;
  const all = { ...environment, ...proxyVariables(proxy?.url ?? wanted) };
  if (Object.keys(all).length === 0) return run(file, worker, options);
  // A bridge may read its environment once, when it is made: here or in a driver that inherits this.
  worker.discard();
  const before = Object.keys(all).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, all);
  try {
    return await run(file, worker, options, proxy);
  } finally {
    worker.discard();
    proxy?.close();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** The settings by which a platform declares a proxy. */
function proxyVariables(url: string | undefined): Readonly<Record<string, string>> {
  return url === undefined ? {} : { http_proxy: url, https_proxy: url, no_proxy: '' };
}

async function run(file: CaseFile, worker: SubjectWorker, options: CaseOptions, proxy?: SuiteProxy): Promise<CaseResult> {
  const { subject } = await worker.live();
  const reasons = new Map(file.judge.map((id) => {
    const plan = { invariant: invariantById(id), check: {}, target: 'fixture' as const };
    // The case says itself which transports it needs.
    return [id, whyNotApplicable(plan, { ...subject, transports: ['stdio', 'streamable-http'] }, judgedLevels(subject, options.levels))];
  }));
  const whole = whyCaseNotApplicable(file, subject);
  const asked = whole === undefined ? file.judge.filter((id) => reasons.get(id) === undefined) : [];
  if (asked.length === 0) return { verdicts: file.judge.map((id) => none(id, whole ?? reasons.get(id) ?? '')) };
  const benches = benchesOf(worker);
  const once = (): Promise<Attempted> => withBench(benches, options.seed, (bench) => attempt(file, bench, options.limitMs ?? CASE_LIMIT_MS, proxy));
  try {
    const first = await once();
    const doubted = first.judgements.some(({ invariant, verdict }) => asked.includes(invariant) && (verdict === 'fail' || verdict === 'inconclusive'));
    const second = doubted ? await once() : undefined;
    const verdicts = file.judge.map((id): CaseVerdict => {
      const reason = reasons.get(id);
      return reason === undefined ? settled(id, first, second) : none(id, reason);
    });
    return { verdicts, history: (second ?? first).history };
  } catch (error) {
    if (error instanceof NotApplicable) return { verdicts: file.judge.map((id) => none(id, error.message)) };
    throw error;
  }
}

function none(invariant: string, message: string): CaseVerdict {
  return { invariant, verdict: 'not-applicable', message };
}

function settled(invariant: string, first: Attempted, second: Attempted | undefined): CaseVerdict {
  const of = (one: Attempted): CaseJudgement =>
    one.judgements.find((judged) => judged.invariant === invariant) ?? { invariant, verdict: 'inconclusive', message: 'it was not judged' };
  if (second === undefined) return of(first);
  const { judgement } = settleVerdict({ judgement: of(first), history: first.history }, { judgement: of(second), history: second.history });
  return { ...judgement, invariant };
}

/** Performs and judges once. @throws NotApplicable and AdapterError */
async function attempt(file: CaseFile, bench: LiveBench, limitMs: number, proxy?: SuiteProxy): Promise<Attempted> {
  let broken = false;
  try {
    const { reached } = await within(new CaseRun(bench, file, proxy).perform(), limitMs);
    broken = !reached;
    if (!reached) bench.trouble(`the case did not end within ${limitMs} ms`);
  } catch (error) {
    if (error instanceof NotApplicable) throw error;
    if (isAdapterError(error)) {
      if (error.code === 'unsupported') throw new NotApplicable(error.message, { cause: error });
      throw error;
    }
    broken = true;
    bench.trouble(error instanceof BenchTimeout ? error.message : `the case failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  await bench.flush();
  const { history } = bench;
  return { judgements: judgeCase(file, history), history, broken };
}
