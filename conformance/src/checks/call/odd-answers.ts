/** Answers to a call that are no result of a tool, or no error of JSON-RPC (CALL-044). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { EventOf, History } from '../../history/schema.ts';
import { frames, isObject, subjectOf, type At, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { openWeb } from '../http/steps.ts';
import { callFor, callsFor, echoed, first, placesOf, readOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, settle } from '../support/steps.ts';

const SERVER = 'sloppy';
/** Words that a success has to hand on, in some form. */
const WORDS = 'the herons are back at the lake';
const text = { type: 'text', text: WORDS };

/** What an answer may end as. `told`: a failure, or a success that holds the words. `failed`: a failure, since it says so or says nothing. */
type Due = 'any' | 'told' | 'failed';

/** Results that are no result of a tool. */
const RESULTS: Readonly<Record<string, { readonly due: Due; readonly result: unknown }>> = {
  'result-null': { due: 'any', result: null },
  'result-empty': { due: 'any', result: {} },
  'result-a-text': { due: 'told', result: WORDS },
  'result-a-list': { due: 'told', result: [text] },
  'structure-alone': { due: 'told', result: { structuredContent: { seen: WORDS } } },
  'content-null': { due: 'any', result: { content: null } },
  'content-a-text': { due: 'told', result: { content: WORDS } },
  'content-a-block': { due: 'told', result: { content: text } },
};

/** Members of an answer that is no result and no error of JSON-RPC, or both. */
const ERRORS: Readonly<Record<string, { readonly due: Due; readonly members: object }>> = {
  'error-a-text': { due: 'failed', members: { error: 'the lake is frozen' } },
  'error-without-code': { due: 'failed', members: { error: { message: 'the lake is frozen' } } },
  'error-with-a-word-as-code': { due: 'failed', members: { error: { code: 'EFROZEN', message: 'the lake is frozen' } } },
  'error-without-message': { due: 'failed', members: { error: { code: -32_000 } } },
  'error-null': { due: 'told', members: { result: { content: [text] }, error: null } },
  'both': { due: 'any', members: { result: { content: [text] }, error: { code: -32_000, message: 'the lake is frozen' } } },
  'neither': { due: 'failed', members: {} },
};

type Opener = (bench: Bench, name: string, scenario: ReturnType<typeof script>) => Promise<BenchServer>;

/** Calls, a healthy one before and after each; ends with the first that does not settle, since each such wait is long. */
async function callAll(bench: Bench, names: readonly string[], one: (name: string, boundMs: number) => Promise<unknown>): Promise<void> {
  const boundMs = bench.subject.bounds.settleMs + 2 * SLACK_MS;
  await ask(bench, SERVER, STEADY);
  for (const name of names) {
    if ((await one(name, boundMs)) === undefined) break;
    if ((await ask(bench, SERVER, STEADY, { boundMs })) === undefined) break;
  }
  await bench.flush();
}

async function exerciseResults(bench: Bench, open: Opener): Promise<void> {
  const rules = Object.entries(RESULTS).map(([name, { result }]) => onCall(name, [{ reply: { result } }]));
  await open(bench, SERVER, script(SERVER, Object.keys(RESULTS).map((name) => tool(SERVER, name)), rules));
  const extra = bench.subject.features.includes('programs') ? { extra: { via: 'program' } as const } : {};
  await callAll(bench, Object.keys(RESULTS), async (name, boundMs) => {
    const reply = await ask(bench, SERVER, name, { boundMs });
    return reply === undefined || !('extra' in extra) ? reply : ask(bench, SERVER, name, { boundMs, ...extra });
  });
}

/** Each call is held, and answered by hand under the id that it came with. */
async function exerciseErrors(bench: Bench): Promise<void> {
  const names = Object.keys(ERRORS);
  const server = await openOne(bench, SERVER, script(SERVER, names.map((name) => tool(SERVER, name)), names.map((name) => onCall(name, [{ hold: name }]))));
  await callAll(bench, names, async (name, boundMs) => {
    const call = await begin(bench, SERVER, name, { boundMs });
    await bench.wire(server, `${name} is called`, heldAt(name));
    const id = requestId(callFor(bench.history, name, SERVER));
    if (call === undefined || id === undefined) return undefined;
    await server.fixture.do([{ raw: { text: `${JSON.stringify({ jsonrpc: '2.0', id, ...ERRORS[name]?.members })}\n` } }]);
    return settle(call);
  });
}

/** What the server wrote in answer to a call, however odd it is. */
function answerOf(history: History, call: PairedCall): At<EventOf<'wire'>['record']> | undefined {
  const [request] = call.requests;
  const id = requestId(call);
  if (request === undefined || call.answer !== undefined) return call.answer;
  return frames(history, { server: SERVER, direction: 'server-to-client' }).find(({ index, event }) => index > request.index && idIn(event.raw) === id);
}

function idIn(raw: string): unknown {
  try {
    const message: unknown = JSON.parse(raw);
    return isObject(message) ? message['id'] : undefined;
  } catch {
    return undefined;
  }
}

/** The judge of answers, `dues` by the name of the tool that gives them. */
const judgeAnswers = (dues: Readonly<Record<string, Due>>) => (history: History): Judgement => {
  const limitMs = (subjectOf(history)?.bounds.settleMs ?? 0) + SLACK_MS;
  const found = Object.entries(dues).map(([name, due]) => judgeOne(history, name, due, limitMs));
  const last = callFor(history, STEADY, SERVER);
  return first(
    found.find((one) => one?.verdict === 'fail'),
    last !== undefined && last.answer !== undefined && !echoed(last) ? fail('after an answer that is none the next call did not go through', placesOf(last)) : undefined,
    ...found,
    echoed(last) ? undefined : inconclusive('not in the history: a healthy call afterwards'),
  ) ?? pass(`${found.length} answers that are none settled their calls, and each outcome says something`);
};

function judgeOne(history: History, name: string, due: Due, limitMs: number): Judgement | undefined {
  const calls = callsFor(history, name, SERVER);
  if (calls.length === 0) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
  return first(...calls.map((call) => {
    const answer = answerOf(history, call);
    const reply = replyOf(call);
    if (answer === undefined) return inconclusive(`the server did not answer "${name}"`);
    if (call.outcome === undefined) return fail(`the server answered "${name}", and the call never settled`, [...placesOf(call), answer.index]);
    const tookMs = call.outcome.event.atMs - answer.event.atMs;
    if (tookMs > limitMs) return fail(`the server answered "${name}", and the call settled ${Math.round(tookMs)} ms later, at most ${limitMs} are due`, [...placesOf(call), answer.index]);
    // A model reads what it is shown; a program may be given the value alone.
    const value = call.call.event.request.via === 'program' && reply?.value !== undefined ? JSON.stringify(reply.value) : '';
    const read = `${readOf(reply)}\n${value}`;
    if (!/[\p{L}\p{N}]/u.test(read)) return fail(`the outcome of "${name}" (${reply?.outcome}) says nothing`, placesOf(call));
    if (reply?.outcome !== 'ok' || due === 'any') return undefined;
    if (due === 'failed') return fail(`"${name}" is no result, and the call succeeded`, [...placesOf(call), answer.index]);
    return read.includes(WORDS) ? undefined : fail(`the call of "${name}" succeeded, and what its answer held is lost`, [...placesOf(call), answer.index]);
  }));
}

const duesOf = (answers: Readonly<Record<string, { readonly due: Due }>>): Readonly<Record<string, Due>> =>
  Object.fromEntries(Object.entries(answers).map(([name, { due }]) => [name, due]));

const overStdio = (bench: Bench): Promise<void> => exerciseResults(bench, openOne);
const overHttp = (bench: Bench): Promise<void> => exerciseResults(bench, openWeb);

const invariant = 'CALL-044';

/** CALL-044: what is answered is settled, and said. */
export const oddAnswerChecks: readonly Check[] = [
  scripted({ id: 'CALL-044/no-results', invariant, limitMs: 60_000, exercise: overStdio, judge: judgeAnswers(duesOf(RESULTS)) }),
  scripted({ id: 'CALL-044/no-results-over-http', invariant, transports: ['streamable-http'], limitMs: 60_000, exercise: overHttp, judge: judgeAnswers(duesOf(RESULTS)) }),
  scripted({
    id: 'CALL-044/no-errors', invariant, limitMs: 60_000, judge: judgeAnswers(duesOf(ERRORS)),
    exercise: async (bench) => {
      await exerciseErrors(bench);
    },
  }),
];
