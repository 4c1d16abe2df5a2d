/** Answers to calls that are no results, or no errors. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

const SERVER = 'sloppy';
const WORDS = 'the herons are back at the lake';
const RESULTS = ['result-null', 'result-empty', 'result-a-text', 'result-a-list', 'structure-alone', 'content-null', 'content-a-text', 'content-a-block'];
const ERRORS = ['error-a-text', 'error-without-code', 'error-with-a-word-as-code', 'error-without-message', 'error-null', 'both', 'neither'];

const refused: Partial<CallReply> = { outcome: 'failed', executed: 'yes', view: [], message: 'the answer is no result' };
const shows = (text: string): Partial<CallReply> => ({ outcome: 'ok', view: [{ type: 'text', text }] });

/** One call and what became of it; `undefined`: it never settled. `lateMs`: how long after the answer it did. */
interface Told {
  readonly reply?: Partial<CallReply> | undefined;
  readonly lateMs?: number;
  readonly via?: 'model' | 'program';
  readonly answered?: boolean;
  /** The trace holds the bytes of the answer and nothing of what they mean. */
  readonly raw?: boolean;
}

function call(builder: HistoryBuilder, rawName: string, { reply, lateMs = 0, via = 'model', answered = true, raw = false }: Told): HistoryBuilder {
  const callId = `odd-${builder.nextId()}`;
  const id = builder.nextId();
  builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId }, via }, { server: SERVER, rawName })
    .received(SERVER, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } });
  const answer = { jsonrpc: '2.0', id, error: 'odd' };
  if (answered && raw) builder.record(SERVER, { kind: 'frame', direction: 'server-to-client', raw: `${JSON.stringify(answer)}\n`, bytes: 40 });
  else if (answered) builder.sent(SERVER, answer);
  return reply === undefined ? builder : builder.wait(lateMs).outcome(callId, reply);
}

/** Every odd answer, each refused unless it is told otherwise, and a healthy call at last. */
function all(names: readonly string[], otherwise: Readonly<Record<string, Told>> = {}): HistoryBuilder {
  const builder = history().step('open', [SERVER]);
  for (const name of names) call(builder, name, otherwise[name] ?? { reply: refused });
  return echo(builder, SERVER, 'steady');
}

const results: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    all(RESULTS, { 'content-a-text': {} }).named('a call that was answered never settled'),
    all(RESULTS, { 'result-null': { reply: refused, lateMs: 9_000 } }).named('settled by a limit, long after its answer'),
    all(RESULTS, { 'result-empty': { reply: { outcome: 'ok', view: [] } } }).named('a success that says nothing'),
    all(RESULTS, { 'structure-alone': { reply: { ...shows('[nothing to show]'), value: { content: [], structuredContent: { seen: WORDS } } } } }).named('the model is not shown the structure'),
    all(RESULTS, { 'structure-alone': { reply: { ...shows('done'), value: { content: [] } }, via: 'program' } }).named('a program is not given the structure'),
    call(all(RESULTS), 'steady', { reply: { outcome: 'failed', executed: 'unknown' } }).named('the next call did not go through'),
  ],
  mustPass: [
    all(RESULTS).named('refused one and all'),
    all(RESULTS, {
      'result-empty': { reply: shows('[the tool returned nothing]') }, 'structure-alone': { reply: shows(`{"seen":"${WORDS}"}`) }, 'content-a-text': { reply: shows(WORDS) },
      'content-a-block': { reply: { outcome: 'ok', view: [], value: { content: [WORDS] } }, via: 'program' },
    }).named('the best is made of each'),
  ],
  mustDoubt: [
    history().named('no call'),
    all(RESULTS.slice(1)).named('one was not called'),
    all(RESULTS, { 'result-null': { reply: refused, answered: false } }).named('the server did not answer one'),
  ],
};

/** What these judges must refuse and must let pass. */
export const oddAnswerHistories: readonly JudgeHistories[] = [
  { check: 'CALL-044/no-results', ...results },
  { check: 'CALL-044/no-results-over-http', ...results },
  {
    check: 'CALL-044/no-errors',
    mustFail: [
      all(ERRORS, { 'error-a-text': { raw: true } }).named('an error that is a text was ignored'),
      all(ERRORS, { neither: { reply: shows('[nothing to show]') } }).named('neither result nor error succeeds'),
      all(ERRORS, { 'error-without-message': { reply: { outcome: 'failed', view: [], message: ' ' } } }).named('a failure without a word'),
      all(ERRORS, { 'error-null': { reply: shows('done') } }).named('the result beside an error that is null is lost'),
    ],
    mustPass: [
      all(ERRORS, Object.fromEntries(ERRORS.map((name) => [name, { reply: refused, raw: true }]))).named('refused one and all'),
      all(ERRORS, { 'error-null': { reply: shows(WORDS) }, both: { reply: shows(WORDS) } }).named('where there is a result it is taken'),
    ],
    mustDoubt: [history().named('no call'), all([]).named('only healthy calls')],
  },
];
