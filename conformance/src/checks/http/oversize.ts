/** Messages above a limit of the entry, over HTTP and in lists (WIRE-045, WIRE-046). */
import type { ScenarioInput, ToolEntry } from 'mcp-fixture-server/scenario';
import { mark, type Bench, type BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, faultsFired, frames, lastRegistry } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, callsFor, doubt, first, placesOf, replyOf, startMessages, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { judgeAbove, judgeAfter, LIMIT_BYTES } from '../wire/oversize.ts';
import { backAgain, openWeb, quickly } from './steps.ts';

const SERVER = 'wordy';
const FORMS = ['event-stream', 'json'] as const;
type Form = (typeof FORMS)[number];

/** Tools of each form, by how long their answers are: below the limit, a little above, and so far above that a bridge may give the connection up. */
const SIZES = { large: LIMIT_BYTES / 2, huge: 1.5 * LIMIT_BYTES, endless: 4 * LIMIT_BYTES } as const;
const ABOVE = ['huge', 'endless'] as const;

const toolOf = (size: keyof typeof SIZES, form: Form): string => `${size}-${form}`;

/** A server that answers in this form; its list has the tools of both. */
function wordy(answers: Form): ScenarioInput {
  const sized = FORMS.flatMap((form) => Object.entries(SIZES).map(([size, bytes]) => ({ name: `${size}-${form}`, bytes })));
  return script(SERVER, sized.map(({ name }) => tool(SERVER, name)), sized.map(({ name, bytes }) => onCall(name, [{ oversize: { bytes } }])), { http: { answers } });
}

async function exerciseCalls(bench: Bench): Promise<void> {
  const recovers = bench.subject.features.includes('reconnect');
  const server = await openWeb(bench, SERVER, wordy(FORMS[0]), { maxMessageBytes: LIMIT_BYTES, ...quickly(bench).options });
  for (const form of FORMS) {
    await server.program(wordy(form));
    await ask(bench, SERVER, toolOf('large', form));
    for (const size of ABOVE.slice(0, recovers ? undefined : 1)) {
      await ask(bench, SERVER, toolOf(size, form), { boundMs: 5_000 });
      await (recovers ? backAgain(bench, SERVER) : ask(bench, SERVER, STEADY));
    }
  }
  await bench.flush();
}

function judgeForm(history: History, form: Form): Judgement | undefined {
  const within = callFor(history, toolOf('large', form), SERVER);
  const above = ABOVE.flatMap((size) => callFor(history, toolOf(size, form), SERVER) ?? []);
  if (within === undefined || above.length === 0) return uncalled(history, SERVER, toolOf('huge', form)) ?? inconclusive(`no call was made of a server that answers as ${form}`);
  const small = replyOf(within);
  const sent = [within, ...above].filter(({ call }) => faultsFired(history, SERVER, `on-${call.event.rawName ?? ''}`).length > 0);
  return first(
    doubt([sent.length > above.length, `answers on both sides of the limit, as ${form}`]),
    small?.outcome === 'ok' ? undefined : fail(`an answer below maxMessageBytes, as ${form}, ended as ${small?.outcome ?? 'nothing'}`, placesOf(within)),
    ...above.map((call) => judgeAbove(call)),
    ...above.map((call) => judgeAfter(callsFor(history, STEADY, SERVER).findLast((one) => one.call.index > call.call.index))),
  );
}

const judgeCalls = (history: History): Judgement =>
  first(...FORMS.map((form) => judgeForm(history, form))) ?? pass('answers above the limit, as JSON and as events, failed their own calls, with the reason');

/** Whose page is below the limit; the others are named by their carrier or form. */
const FITTING = 'fitting';
/** Raw names of a server, which are its own: names need not carry the server. The second one's entry makes the size of its page. */
const namesOf = (server: string): readonly [string, string] => [`plain-of-${server}`, `bulky-of-${server}`];

/** A list of two pages, the second of them about this long. */
function listing(server: string, bytes: number, more: Partial<ScenarioInput> = {}): ScenarioInput {
  const [plain, bulky] = namesOf(server);
  const long: ToolEntry = { ...tool(server, bulky), description: `${mark(server, bulky)} ${'long '.repeat(bytes / 5)}` };
  return { scenario: 1, tools: [tool(server, plain), long], pagination: { pageSize: 1 }, ...more };
}

async function exerciseLists(bench: Bench, serve: (options: Readonly<Record<string, unknown>>) => Promise<readonly BenchServer[]>): Promise<void> {
  const off = bench.subject.options.includes('reconnect') ? { reconnect: { enabled: false } } : {};
  const servers = await serve({ maxMessageBytes: LIMIT_BYTES, ...off });
  await bench.open(bench.subject.servers === 'one' ? servers.slice(0, 1) : servers);
  await bench.look();
  await bench.flush();
}

function judgeLists(history: History): Judgement {
  const registry = lastRegistry(history);
  const opened = eventsOf(history, 'request').filter(({ event }) => event.step === 'open').flatMap(({ event }) => event.servers.map(({ name }) => name));
  const [settled] = eventsOf(history, 'settled').filter(({ event }) => event.step === 'open');
  if (registry === undefined || settled === undefined) return inconclusive('not in the history: an opening and a look at the registry');
  const offered = (server: string): string[] => namesOf(server).filter((name) => registry.event.tools.some(({ description }) => description.includes(mark(server, name))));
  const said = (server: string): boolean => /maxMessageBytes|200[,_ ]?000/.test(startMessages(history, server));
  const large = opened.filter((name) => name !== FITTING);
  return first(
    ...large.map((name) => first(
      doubt([frames(history, { server: name, direction: 'server-to-client' }).some(({ event }) => event.bytes > LIMIT_BYTES), `a page of "${name}" above the limit`]),
      offered(name).length === 0 ? undefined : fail(`${offered(name).join(' and ')} of a list with a page above maxMessageBytes are offered`, [registry.index]),
      said(name) ? undefined : fail(`nothing about "${name}" says that a limit of ${LIMIT_BYTES} bytes was passed: ${startMessages(history, name).slice(0, 200)}`, [settled.index]),
    )),
    large.length > 0 ? undefined : inconclusive('no list above the limit was opened'),
    !opened.includes(FITTING) || offered(FITTING).length === 2 ? undefined : fail('a list whose pages are below maxMessageBytes is not offered whole', [registry.index]),
  ) ?? pass(`${large.length} lists with a page above the limit were refused whole, with the reason`);
}

/** Checks of messages above the limit. */
export const webOversizeChecks: readonly Check[] = [
  scripted({ id: 'WIRE-045/answers', invariant: 'WIRE-045', options: ['maxMessageBytes'], exercise: exerciseCalls, judge: judgeCalls }),
  scripted({
    id: 'WIRE-046/over-stdio',
    invariant: 'WIRE-046',
    options: ['maxMessageBytes'],
    exercise: (bench) => exerciseLists(bench, (options) => Promise.resolve([
      bench.serve('lines', listing('lines', 1.5 * LIMIT_BYTES), { options }), bench.serve(FITTING, listing(FITTING, LIMIT_BYTES / 2), { options }),
    ])),
    judge: judgeLists,
  }),
  scripted({
    id: 'WIRE-046/over-http',
    invariant: 'WIRE-046',
    transports: ['streamable-http'],
    options: ['maxMessageBytes'],
    exercise: (bench) => exerciseLists(bench, (options) => Promise.all([
      ...FORMS.map((answers) => bench.serveHttp(answers, listing(answers, 1.5 * LIMIT_BYTES, { http: { answers } }), { options })), bench.serveHttp(FITTING, listing(FITTING, LIMIT_BYTES / 2), { options }),
    ])),
    judge: judgeLists,
  }),
];
