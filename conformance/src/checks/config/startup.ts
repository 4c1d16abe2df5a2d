/** First connections that fail, and what `failOnStartupError` makes of them (CONFIG-011, CONFIG-012, CONFIG-013). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, faultsFired, lastRegistry, logLines, settledSteps, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { livesOf } from '../connection/lives.ts';
import { linesAbout, requestsOf, servedBy, toolsGone, waitedInVain } from '../connection/outage-facts.ts';
import { AWAITED, inLife, quiet, recovered, startedTimes } from '../connection/steps.ts';
import { callFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { ANSWER, script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const QUICK = { initialDelayMs: 20, maxDelayMs: 40 } as const;
const TWICE = [{ name: 'twice', inputSchema: { type: 'object' } }, { name: 'twice', inputSchema: { type: 'object' } }];

/** How the first process of a server fails, by the server's name; the second one is well. */
const FAILING: Readonly<Record<string, readonly Rule[]>> = {
  'ends-at-once': [inLife(1, 'initialize', [{ exit: 2 }])],
  'refuses-the-list': [inLife(1, 'tools/list', [{ error: { code: -32603, message: 'no list yet' } }])],
  'lists-one-twice': [inLife(1, 'tools/list', [{ reply: { result: { tools: TWICE } } }])],
};
/** A notice before the first listing must not use the strictness up (S31). */
const ANNOUNCING: Readonly<Record<string, readonly Rule[]>> = {
  'announces-first': [
    inLife(1, 'initialize', [ANSWER, { notify: { method: 'notifications/tools/list_changed' } }]), inLife(1, 'tools/list', [{ error: { code: -32603, message: 'no list yet' } }]),
  ],
};
const STRICT = { ...FAILING, ...ANNOUNCING };

function serveAll(bench: Bench, failing: typeof FAILING, options: Readonly<Record<string, unknown>>): BenchServer[] {
  const all = Object.entries(failing).map(([name, rules]) => bench.serve(name, script(name, [], rules), { options }));
  return all.slice(0, bench.subject.servers === 'one' ? 1 : undefined);
}

async function exerciseGoesOn(bench: Bench): Promise<void> {
  const servers = serveAll(bench, FAILING, { reconnect: QUICK });
  await bench.open(servers);
  await Promise.all(servers.map((server) => comeUp(bench, server)));
  await bench.close();
}

/** The barrier of a wait for the second process of a server. */
export const secondStart = (server: string): string => `${server}: ${AWAITED}`;

async function comeUp(bench: Bench, server: BenchServer): Promise<void> {
  if (!(await bench.wire(server, secondStart(server.name), startedTimes(2)))) return;
  await recovered(bench, server);
  await ask(bench, server.name, STEADY);
}

/** A warning or an error that names the server, before a position. */
function isReported(history: History, server: string, before: number): boolean {
  return linesAbout(history, server).some(({ index, event }) => index < before && (event.level === 'warn' || event.level === 'error'));
}

function judgeGoesOn(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const names = Object.keys(FAILING).filter((name) => faultsFired(history, name).length > 0);
  if (settled === undefined || names.length === 0) return inconclusive('not in the history: a first connection that failed');
  for (const name of names) {
    const lives = livesOf(history, name);
    const [failed, next] = lives;
    const reply = settled.event.servers.find((one) => one.name === name);
    if (reply?.status === 'rejected') return fail(`"${name}" was rejected although failOnStartupError is false: ${reply.message ?? ''}`, [settled.index]);
    if (next === undefined) {
      return barrierOf(history, secondStart(name))?.event.reached === false
        ? fail(`"${name}", whose first connection failed, was not tried again`, [settled.index])
        : inconclusive(`nobody waited for another start of "${name}"`);
    }
    if (failed?.end === undefined || failed.end.index > next.start.index) return fail(`the connection of "${name}", whose first listing failed, was not closed`, [next.start.index]);
    if (!isReported(history, name, next.start.index)) return fail(`nothing at warn or error says that the first connection of "${name}" failed`, [settled.index]);
    const late = callFor(history, STEADY, name);
    if (late === undefined) return inconclusive(`"${name}" was not called after it had come up`);
    if (!echoed(late) || servedBy(late, lives) !== next) return fail(`"${name}" came up at its second start and cannot be called`, placesOf(late));
  }
  return pass(`${names.length} failed first connections were reported, and the servers came up later`);
}

async function exerciseStrict(bench: Bench): Promise<void> {
  if (bench.subject.servers !== 'dynamic') throw new NotApplicable('the subject cannot add a server again');
  const servers = serveAll(bench, STRICT, { failOnStartupError: true, ...(bench.subject.options.includes('reconnect') ? { reconnect: QUICK } : {}) });
  await bench.open(servers);
  await Promise.all(servers.map((server) => quiet(bench, server, QUICK.maxDelayMs)));
  await bench.look();
  for (const server of servers) {
    await bench.add(server);
    await ask(bench, server.name, STEADY);
  }
  await bench.close();
}

function judgeStrict(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  const added = requestsOf(history, 'add')[0]?.index ?? history.length;
  const names = Object.keys(STRICT).filter((name) => livesOf(history, name).length > 0);
  const doubted = doubt([settled !== undefined && names.length >= 3, 'three first connections that failed']);
  if (doubted !== undefined || settled === undefined) return doubted ?? inconclusive('nothing was opened');
  for (const name of names) {
    const lives = livesOf(history, name).filter(({ start }) => start.index < added);
    const reply = settled.event.servers.find((one) => one.name === name);
    if (reply?.status !== 'rejected') return fail(`the first connection of "${name}" failed, and its activation is ${reply?.status ?? 'not answered for'}`, [settled.index]);
    if ((reply.message ?? '') === '') return fail(`the rejection of "${name}" does not say why`, [settled.index]);
    if (!isReported(history, name, added)) return fail(`nothing at warn or error says that the first connection of "${name}" failed`, [settled.index]);
    if (lives.length > 1) return fail(`"${name}" was rejected and then started again`, lives.map(({ start }) => start.index));
    if (lives[0]?.end === undefined || lives[0].end.index > added) return fail(`a process of "${name}" is left although it was rejected`, [settled.index]);
    const late = callFor(history, STEADY, name);
    const again = settledSteps(history, 'add').find(({ event }) => event.servers[0]?.name === name);
    const more = first(
      waitedInVain(history),
      again === undefined || again.event.servers[0]?.status === 'ready' ? undefined : fail(`the name "${name}" was not free after the rejection: ${again.event.servers[0]?.message ?? ''}`, [again.index]),
      doubt([again !== undefined && late !== undefined, `a call of "${name}" after it was added again`]),
      toolsGone(history, name, added),
      echoed(late) ? undefined : fail(`"${name}" cannot be called after it was added again`, late === undefined ? [] : placesOf(late)),
    );
    if (more !== undefined) return more;
  }
  return pass(`${names.length} failed first connections rejected their activation and left nothing`);
}

const TENANT = 'tenant';

/** A foreign tool holds the name of its one tool: first by default, then under `failOnStartupError`. */
async function exerciseConflict(bench: Bench): Promise<void> {
  const options = bench.subject.options.includes('reconnect') ? { reconnect: QUICK } : {};
  const server = bench.serve(TENANT, script(TENANT, []), { options });
  await bench.open([server]);
  const found = await bench.find(STEADY, TENANT);
  await ask(bench, TENANT, STEADY);
  await bench.close();
  if (found === undefined) throw new NotApplicable('the subject does not offer the tool that another plugin is to hold');
  await bench.open([server], { foreignTools: [found.name] });
  await bench.look();
  await quiet(bench, server, QUICK.maxDelayMs);
  await bench.close();
  const strict = bench.serve(TENANT, script(TENANT, []), { options: { ...options, failOnStartupError: true } });
  await bench.open([strict], { foreignTools: [found.name] });
  await bench.close();
}

function judgeConflict(history: History): Judgement {
  const [, lenient, strict] = requestsOf(history, 'open');
  const closing = requestsOf(history, 'close').find(({ index }) => index > (lenient?.index ?? history.length));
  const [, goesOn, rejects] = settledSteps(history, 'open');
  if (lenient === undefined || closing === undefined || goesOn === undefined) return inconclusive('not in the history: a foreign tool in the way of a first listing');
  const lives = livesOf(history, TENANT).filter(({ start }) => start.index > lenient.index && start.index < closing.index);
  const [life] = lives;
  const read = wireRecords(history, 'frame', TENANT).some(({ index, event }) => index > lenient.index && index < closing.index && event.direction === 'server-to-client' && event.raw.includes('"tools":['));
  const ended = life === undefined ? undefined : wireRecords(history, 'process', TENANT).find(({ index, event }) => event.pid === life.pid && index > life.start.index && index < closing.index && (event.event === 'exit' || event.event === 'input-end'));
  const foreign = lenient.event.host?.foreignTools?.[0];
  const left = lastRegistry(history, closing.index)?.event.tools.filter(({ name }) => name !== foreign) ?? [];
  return first(
    doubt([life !== undefined && read, 'a listing with a name that another plugin holds']),
    goesOn.event.servers[0]?.status === 'rejected' ? fail('a registry conflict rejected the activation although failOnStartupError is false', [goesOn.index]) : undefined,
    left.length === 0 ? undefined : fail(`tools of the conflicting list are registered: ${left.map(({ name }) => name).join(', ')}`, [closing.index]),
    lives.length > 1 || ended !== undefined ? fail('a registry conflict closed the connection or opened an outage', [ended?.index ?? closing.index]) : undefined,
    logLines(history, 'error').some(({ index }) => index > lenient.index && index < closing.index) ? undefined : fail('no error says that a foreign tool was in the way', [goesOn.index]),
    waitedInVain(history),
    doubt([strict !== undefined && rejects !== undefined, 'the same under failOnStartupError']),
    rejects?.event.servers[0]?.status === 'rejected' ? undefined : fail(`under failOnStartupError a registry conflict left the activation ${rejects?.event.servers[0]?.status ?? ''}`, rejects === undefined ? [] : [rejects.index]),
  ) ?? pass('a conflict closed nothing and was not tried again; under failOnStartupError it rejected');
}

/** Checks of first connections. */
export const startupChecks: readonly Check[] = [
  scripted({ id: 'CONFIG-011/goes-on', invariant: 'CONFIG-011', options: ['reconnect'], exercise: exerciseGoesOn, judge: judgeGoesOn }),
  scripted({ id: 'CONFIG-012/rejects', invariant: 'CONFIG-012', options: ['failOnStartupError'], exercise: exerciseStrict, judge: judgeStrict }),
  scripted({ id: 'CONFIG-013/foreign-tool', invariant: 'CONFIG-013', options: ['failOnStartupError'], exercise: exerciseConflict, judge: judgeConflict }),
];
