/** A sync that fails changes nothing and says so (GENERATION-004, GENERATION-005). */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { EventOf, History } from '../../history/schema.ts';
import { barrierOf, eventsOf, faultsFired, logLines, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { onPage } from '../pages.ts';
import { warned } from '../support/warnings.ts';
import { announceRefused, judgeKept, needListChanges, reachedAtTheEnd } from '../resync.ts';
import { callEach, describes, listing, lookAndCallEach, markedTool } from '../tool-lists.ts';

const SERVER = 'archive';
const GOOD = ['first', 'second.part', 'third'] as const;
const RECOVERED = 'the good list is shown';
/** The barrier of a wait for a warning or an error about the listing that failed: a bridge may ask again before it says so. */
export const REPORTED = 'the failed listing is reported';
const known = [{ server: SERVER, rawNames: [...GOOD, 'unseen', 'fresh'] }];

type Rules = NonNullable<ScenarioInput['rules']>;

/** Ways in which a listing fails after it was announced; each rule is named, so that the trace tells that it fired. */
const FAILURES: Readonly<Record<string, Rules>> = {
  error: [{ id: 'bad', when: { method: 'tools/list' }, do: [{ error: { code: -32603, message: 'the list is not at hand' } }] }],
  'later-page': [
    { id: 'bad', when: { method: 'tools/list', params: { cursor: 'more' } }, do: [{ error: { code: -32603, message: 'this page is not at hand' } }] },
    onPage(undefined, { tools: [{ ...markedTool(SERVER, 'unseen'), inputSchema: { type: 'object' } }], nextCursor: 'more' }),
  ],
  'no-list': [{ id: 'bad', when: { method: 'tools/list' }, do: [{ reply: { result: { tools: { first: {} } } } }] }],
  'no-result': [{ id: 'bad', when: { method: 'tools/list' }, do: [{ reply: { result: {} } }] }],
};

async function exerciseFailure(bench: Bench, kind: string): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, GOOD));
  await bench.open([server]);
  await lookAndCallEach(bench, known);
  await announceRefused(bench, server, listing(SERVER, ['unseen', ...GOOD], { rules: FAILURES[kind] ?? [] }), known);
  await reported(bench);
  await bench.change(server, listing(SERVER, [...GOOD, 'fresh']), RECOVERED, describes(markedTool(SERVER, 'fresh').description ?? ''));
  await callEach(bench, (await bench.look()).tools, known);
}

/** Waits until the failure is told of, within the time in which a change has to be followed. */
const reported = (bench: Bench): Promise<void> => warned(bench, REPORTED, () => reportOf(bench.history) !== undefined, bench.subject.bounds.settleMs + SLACK_MS);

/** The first warning or error after the listing failed, and before the good list was scripted again. */
function reportOf(history: History): At<EventOf<'log'>> | undefined {
  const [fault] = faultsFired(history, SERVER, 'bad');
  if (fault === undefined) return undefined;
  const until = recoveryAt(history, fault.index);
  return logLines(history).find(({ index, event }) => index > fault.index && index < until && (event.level === 'warn' || event.level === 'error'));
}

/** Where the good list was scripted again after the failure: up to there nothing may change. */
function recoveryAt(history: History, fault: number): number {
  return eventsOf(history, 'program').find(({ index }) => index > fault)?.index ?? history.length;
}

/** The judge of GENERATION-004. */
export function judgeFailedSync(history: History): Judgement {
  const [fault] = faultsFired(history, SERVER, 'bad');
  if (fault === undefined) return inconclusive('the listing that fails was never asked for');
  const kept = judgeKept(history, recoveryAt(history, fault.index));
  if (kept.verdict !== 'pass') return kept;
  const recovered = barrierOf(history, RECOVERED);
  if (recovered === undefined) return inconclusive('the good list was not scripted again');
  if (!recovered.event.reached) return fail('after a failed sync the next good list was not followed', [recovered.index]);
  return reachedAtTheEnd(history, SERVER, 'fresh') ? pass(`${kept.message}; the next list was followed`) : inconclusive('the new tool was not called');
}

/** The judge of GENERATION-005. */
export function judgeReported(history: History): Judgement {
  const [fault] = faultsFired(history, SERVER, 'bad');
  if (fault === undefined) return inconclusive('the listing that fails was never asked for');
  const report = reportOf(history);
  if (report !== undefined) return pass(`it was reported: ${report.event.message}`, [fault.index, report.index]);
  const waited = barrierOf(history, REPORTED);
  if (waited === undefined) return inconclusive('nobody waited for a warning');
  return fail(`a listing failed, and no warning or error says so within ${waited.event.boundMs} ms`, [fault.index, waited.index]);
}

/** Checks of syncs that fail. */
export const failingChecks: readonly Check[] = Object.keys(FAILURES).flatMap((kind) => [
  scripted({ id: `GENERATION-004/${kind}`, invariant: 'GENERATION-004', judge: judgeFailedSync, exercise: (bench) => exerciseFailure(bench, kind) }),
  scripted({ id: `GENERATION-005/${kind}`, invariant: 'GENERATION-005', judge: judgeReported, exercise: (bench) => exerciseFailure(bench, kind) }),
]);
