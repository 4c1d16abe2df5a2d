/**
 * Failed starts and lost connections.
 */
import type { ServerSpec } from '../adapter/messages.ts';
import { SLACK_MS } from '../bench/bounds.ts';
import { NotApplicable } from '../bench/endings.ts';
import { eventsOf, faultsFired, lastRegistry, settledSteps, subjectOf, wireRecords } from '../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from './check.ts';
import { allReadable, before, callsFor, doubt, echoed, first, placesOf, replyOf, startMessages, uncalled } from './support/facts.ts';
import { canary, onSpawn, script, STEADY } from './support/scripts.ts';
import { ask, ended, openOne, tellState } from './support/steps.ts';
import { budgetChecks } from './connection/budget.ts';
import { callSecretChecks } from './connection/call-secret.ts';
import { delayChecks } from './connection/delays.ts';
import { disposalChecks } from './connection/disposal.ts';
import { earlyPingChecks } from './connection/early-pings.ts';
import { headerSecretChecks } from './connection/header-secret.ts';
import { inOutageChecks } from './connection/in-outage.ts';
import { limitChecks } from './connection/limits.ts';
import { offChecks } from './connection/off.ts';
import { overlapChecks } from './connection/overlap.ts';
import { recoveryChecks } from './connection/recovery.ts';
import { tellingChecks } from './connection/telling.ts';
import { uptimeChecks } from './connection/uptime.ts';
import { whyLostChecks } from './connection/why-lost.ts';

const LOST = 'lost';

const failsAtOnce = scripted({
  id: 'CONNECTION-001/after-a-loss',
  invariant: 'CONNECTION-001',
  async exercise(bench) {
    const { features, options } = bench.subject;
    const switchable = options.includes('reconnect');
    if (features.includes('reconnect') && !switchable) throw new NotApplicable('the subject reconnects and has no option to stop it');
    const server = await openOne(bench, LOST, script(LOST, []), switchable ? { reconnect: { enabled: false } } : undefined);
    await ask(bench, LOST, STEADY);
    await server.fixture.do([{ exit: 3 }]);
    await bench.wire(server, 'it ended', ended);
    // The first call after the loss may still meet a connection whose end has not been noticed; the second may not.
    await ask(bench, LOST, STEADY, { boundMs: 5_000 });
    await ask(bench, LOST, STEADY, { boundMs: 5_000 });
    await bench.look();
    await bench.close();
  },
  judge(history): Judgement {
    const [healthy, , late] = callsFor(history, STEADY, LOST);
    if (healthy === undefined) return uncalled(history, LOST, STEADY) ?? inconclusive('no call was made');
    const end = wireRecords(history, 'process', LOST).find(({ event }) => event.event === 'exit');
    const doubted = doubt([echoed(healthy), 'a healthy call before the loss'], [before(healthy.outcome, end), 'the end of the process']);
    if (doubted !== undefined) return doubted;
    if (late === undefined) return fail('the tool is not offered any more after the loss', end === undefined ? [] : [end.index]);
    const reply = replyOf(late);
    const places = placesOf(late);
    if (late.outcome === undefined || reply === undefined) return fail('a call after the loss never settled', places);
    const limitMs = (subjectOf(history)?.bounds.settleMs ?? 0) + SLACK_MS;
    const tookMs = late.outcome.event.atMs - late.call.event.atMs;
    const closing = eventsOf(history, 'request').find(({ event }) => event.step === 'close')?.index;
    const offered = lastRegistry(history, closing)?.event.tools.some(({ name }) => name === late.call.event.request.name) === true;
    return first(
      late.requests.length === 0 ? undefined : fail('a call after the loss was kept and sent later', places),
      reply.outcome === 'ok' ? fail('a call after the loss succeeded', places) : undefined,
      reply.executed === 'no' ? undefined : fail(`a call that was never sent is reported as executed: ${reply.executed}`, places),
      tookMs <= limitMs ? undefined : fail(`a call after the loss took ${Math.round(tookMs)} ms to fail`, places),
      offered ? undefined : fail('the tool was unregistered at the loss', places),
    ) ?? pass(`a call after the loss failed within ${Math.round(tookMs)} ms and was never sent`);
  },
});

const MISSING_PROGRAM = 'no-such-program-of-mcp-bridge-conformance';
const MISSING: ServerSpec = { name: 'missing', transport: 'stdio', command: `/nonexistent/${MISSING_PROGRAM}`, args: [] };
const EARLY = 'early-exit';
const LAST_WORDS = 'missing the configuration of the weather vane';
/** An exit code that occurs nowhere else in a message. */
const EXIT_CODE = 73;

const saysWhy = scripted({
  id: 'CONNECTION-002/failed-starts',
  invariant: 'CONNECTION-002',
  async exercise(bench) {
    const early = bench.serve(EARLY, script(EARLY, [], [
      onSpawn([{ stderr: { text: `starting up\n${LAST_WORDS}\n` } }, { exit: EXIT_CODE }]),
    ], { countFrom: 'spawn' }));
    await bench.open(bench.subject.servers === 'one' ? [early] : [early, MISSING]);
    await bench.close();
  },
  judge(history): Judgement {
    const settled = settledSteps(history, 'open')[0];
    const doubted = doubt(
      [settled !== undefined, 'an opening that settled'], [faultsFired(history, EARLY, 'on-spawn').length > 1, 'a process that spoke and exited'],
    );
    if (doubted !== undefined || settled === undefined) return doubted ?? inconclusive('nothing was opened');
    const early = startMessages(history, EARLY);
    const asked = settled.event.servers.some(({ name }) => name === MISSING.name);
    return first(
      ...settled.event.servers.map(({ name, status }) => (status === 'ready' ? fail(`"${name}", which cannot start, is said to be ready`, [settled.index]) : undefined)),
      early.includes(LAST_WORDS) ? undefined : fail(`the last words of the server cannot be read: ${early}`, [settled.index]),
      early.includes(String(EXIT_CODE)) ? undefined : fail(`the exit code ${EXIT_CODE} cannot be read: ${early}`, [settled.index]),
      !asked || startMessages(history, MISSING.name).includes(MISSING_PROGRAM) ? undefined : fail(`the missing program is not named: ${startMessages(history, MISSING.name)}`, [settled.index]),
    ) ?? pass('each failed start says why');
  },
});

const TELLTALE = 'telltale';
const SECRET = canary('Secret');
/** Under a name that says nothing of a secret. */
const ADDRESS = canary('Address');
const AFTER_THE_START = 'the start has failed';
const CONFIGURED = { MCPBC_LOGIN_TOKEN: SECRET, DATABASE_URL: ADDRESS };

const secretsKept = scripted({
  id: 'CONNECTION-003/printed-secret',
  invariant: 'CONNECTION-003',
  async exercise(bench) {
    const server = bench.serve(TELLTALE, script(TELLTALE, [], [
      onSpawn([{ stderr: { text: `cannot log in with ${SECRET} as guest\nat ${ADDRESS} for now\n` } }, { exit: 1 }]),
    ]), { env: CONFIGURED });
    await bench.open([server]);
    await tellState(bench, AFTER_THE_START);
    await bench.close();
  },
  judge(history): Judgement {
    const printed = faultsFired(history, TELLTALE, 'on-spawn').some(({ event }) => event.action === 'stderr');
    const leak = allReadable(history).find(({ text }) => Object.values(CONFIGURED).some((value) => text.includes(value.slice(0, 64))));
    if (leak !== undefined) return fail('a configured secret stands in what a person reads', [leak.index]);
    return doubt(
      [printed, 'a server that printed its secrets'], [settledSteps(history, 'open').length > 0, 'an opening that settled'],
      [eventsOf(history, 'state').length > 0, 'a look at the state'],
    ) ?? pass('the secret occurs nowhere');
  },
});

/** The checks of `connection`. */
export const connectionChecks: readonly Check[] = [
  failsAtOnce, saysWhy, secretsKept, ...headerSecretChecks, ...delayChecks, ...budgetChecks, ...uptimeChecks, ...inOutageChecks, ...recoveryChecks, ...offChecks,
  ...overlapChecks, ...tellingChecks, ...disposalChecks, ...limitChecks, ...earlyPingChecks,
  ...whyLostChecks, ...callSecretChecks,
];
