/**
 * Wrong entries.
 */
import type { ServerSpec } from '../adapter/messages.ts';
import { eventsOf, settledSteps } from '../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from './check.ts';
import { defaultChecks } from './config/defaults.ts';
import { disposingChecks } from './config/disposing.ts';
import { headerChecks } from './config/headers.ts';
import { startupChecks } from './config/startup.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from './support/facts.ts';
import { script, STEADY } from './support/scripts.ts';
import { ask } from './support/steps.ts';

const HEALTHY = 'healthy';

/** What is wrong with one entry, and the member that a message has to name. */
interface Bad {
  readonly member: string;
  readonly entry: Partial<Omit<Extract<ServerSpec, { transport: 'stdio' }>, 'transport'>>;
  readonly url?: string;
}

const BAD: Readonly<Record<string, Bad>> = {
  'timeout-negative': { member: 'toolCallTimeoutMs', entry: { options: { toolCallTimeoutMs: -5 } } },
  'timeout-text': { member: 'toolCallTimeoutMs', entry: { options: { toolCallTimeoutMs: 'soon' } } },
  // A timer of 2^31 ms or more fires at once.
  'timeout-too-long': { member: 'toolCallTimeoutMs', entry: { options: { toolCallTimeoutMs: 2 ** 31 } } },
  'delays-crossed': { member: 'initialDelayMs', entry: { options: { reconnect: { initialDelayMs: 9_000, maxDelayMs: 10 } } } },
  // Only together with the default of maxDelayMs is it wrong: bounds are judged after defaults.
  'delay-over-default': { member: 'initialDelayMs', entry: { options: { reconnect: { initialDelayMs: 40_000 } } } },
  'delay-none': { member: 'initialDelayMs', entry: { options: { reconnect: { initialDelayMs: 0 } } } },
  'delay-too-long': { member: 'maxDelayMs', entry: { options: { reconnect: { maxDelayMs: 2 ** 31 } } } },
  'attempts-half': { member: 'maxAttempts', entry: { options: { reconnect: { maxAttempts: 1.5 } } } },
  'attempts-none': { member: 'maxAttempts', entry: { options: { reconnect: { maxAttempts: 0 } } } },
  'reconnect-unknown-key': { member: 'retries', entry: { options: { reconnect: { retries: 3 } } } },
  'name-illegal': { member: 'serverName', entry: { name: 'not a name!' } },
  'name-too-long': { member: 'serverName', entry: { name: 'n'.repeat(33) } },
  'command-missing': { member: 'command', entry: { command: '' } },
  'url-not-http': { member: 'url', entry: {}, url: 'ftp://127.0.0.1/mcp' },
};

function specOf(label: string, { entry, url }: Bad, base: ServerSpec): ServerSpec {
  if (url !== undefined || base.transport !== 'stdio') return { name: label, transport: 'streamable-http', url: url ?? '' };
  return { ...base, name: label, ...entry };
}

const badEntries = scripted({
  id: 'CONFIG-001/bad-entries',
  invariant: 'CONFIG-001',
  async exercise(bench) {
    const healthy = bench.serve(HEALTHY, script(HEALTHY, []));
    const bad = Object.entries(BAD).filter(([, { url }]) => url === undefined || bench.subject.transports.includes('streamable-http'));
    await bench.open([...bad.slice(0, 4).map(([label, one]) => specOf(label, one, healthy.entry)), healthy, ...bad.slice(4).map(([label, one]) => specOf(label, one, healthy.entry))]);
    await ask(bench, HEALTHY, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const settled = settledSteps(history, 'open')[0];
    if (settled === undefined) return inconclusive('nothing was opened');
    const asked = new Set(eventsOf(history, 'request').flatMap(({ event }) => (event.step === 'open' ? event.servers.map(({ name }) => name) : [])));
    const bad = Object.entries(BAD).filter(([label, one]) => asked.has(one.entry.name ?? label));
    if (bad.length < 3) return inconclusive('fewer than three wrong entries were given');
    const call = callFor(history, STEADY, HEALTHY);
    return first(
      ...bad.map(([label, { member, entry }]) => {
        const reply = settled.event.servers.find(({ name }) => name === (entry.name ?? label));
        if (reply?.status !== 'rejected') return fail(`the entry "${label}" was ${reply?.status ?? 'not answered for'}`, [settled.index]);
        return (reply.message ?? '').includes(member) ? undefined : fail(`the message about "${label}" does not name ${member}: ${reply.message ?? ''}`, [settled.index]);
      }),
      uncalled(history, HEALTHY, STEADY),
      echoed(call) ? undefined : fail('beside wrong entries the right one cannot be called', call === undefined ? [] : placesOf(call)),
    ) ?? pass(`${bad.length} wrong entries were rejected by name, the right one works`);
  },
});

const TWIN = 'twin';

const duplicateName = scripted({
  id: 'CONFIG-002/twins',
  invariant: 'CONFIG-002',
  async exercise(bench) {
    const one = bench.serve(TWIN, script(TWIN, []));
    const other = bench.serve('other', script('other', []));
    const second: ServerSpec = { ...other.entry, name: TWIN };
    if (bench.subject.servers === 'dynamic') {
      await bench.open([one]);
      await bench.add(second);
    } else await bench.open([one, second]);
    await ask(bench, TWIN, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const replies = [...settledSteps(history, 'open'), ...settledSteps(history, 'add')].flatMap(({ index, event }) =>
      event.servers.filter(({ name }) => name === TWIN).map((reply) => ({ index, reply })));
    const places = replies.map(({ index }) => index);
    const doubted = doubt([replies.length === 2, 'two instances of one name that settled']);
    if (doubted !== undefined) return doubted;
    const [earlier, later] = replies;
    const call = callFor(history, STEADY, TWIN);
    return first(
      earlier?.reply.status === 'ready' ? undefined : fail(`the earlier instance is ${earlier?.reply.status ?? ''}: ${earlier?.reply.message ?? ''}`, places),
      later?.reply.status === 'rejected' ? undefined : fail(`the later instance of a live name is ${later?.reply.status ?? ''}`, places),
      later?.reply.message?.includes(TWIN) === true ? undefined : fail(`the message does not say the name: ${later?.reply.message ?? ''}`, places),
      uncalled(history, TWIN, STEADY),
      echoed(call) ? undefined : fail('the earlier instance cannot be called any more', call === undefined ? [] : placesOf(call)),
    ) ?? pass('the later instance was refused by name, the earlier one works');
  },
});

/** The checks of `config`. */
export const configChecks: readonly Check[] = [
  badEntries, duplicateName, ...disposingChecks, ...startupChecks, ...defaultChecks, ...headerChecks,
];
