/**
 * What the process of a server is given.
 */
import { tmpdir } from 'node:os';
import { realpathSync } from 'node:fs';
import type { Bench } from '../bench/bench.ts';
import { SLACK_MS } from '../bench/bounds.ts';
import { NotApplicable } from '../bench/endings.ts';
import type { History } from '../history/schema.ts';
import { eventsOf, isObject } from '../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from './check.ts';
import { defaultCwd } from './environment-cwd.ts';
import { livesOf } from './connection/lives.ts';
import { AWAITED, lose, recovered, startedTimes } from './connection/steps.ts';
import { canary, script, STEADY } from './support/scripts.ts';
import { ask, note } from './support/steps.ts';
import { doubt, first } from './support/facts.ts';

const SERVER = 'housed';
const WITHHELD = /KEY|PASSWORD|SECRET|TOKEN/i;

/** Configured variables: one that a scrub would take, one over an inherited one, odd ones. */
const CONFIGURED: Readonly<Record<string, string>> = {
  MCPBC_OWN_TOKEN: canary('Own'),
  MCPBC_PLAIN: 'configured wins',
  DSH_MCPBC_OWN: 'kept',
  MCPBC_API_KEY: 'configured, not inherited',
  MCPBC_EMPTY: '',
  mcpbc_quotes: `a "b" 'c' $HOME \`d\` é`,
};

async function lookInside(bench: Bench, env: Readonly<Record<string, string>> | undefined): Promise<void> {
  const server = bench.serve(SERVER, script(SERVER, []), env === undefined ? {} : { env });
  await bench.open([server]);
  await ask(bench, SERVER, STEADY);
  await bench.environment(server, [...new Set([...Object.keys(bench.ambient), ...Object.keys(CONFIGURED)])]);
  await bench.close();
}

/** The same of the process that a recovery started: every way to a process is the same way. */
async function lookInsideRecovered(bench: Bench): Promise<void> {
  if (!bench.subject.features.includes('reconnect')) throw new NotApplicable('the subject does not declare the feature reconnect');
  const options = bench.subject.options.includes('reconnect') ? { reconnect: { initialDelayMs: 20, maxDelayMs: 40 } } : {};
  const server = bench.serve(SERVER, script(SERVER, []), { env: CONFIGURED, options });
  await bench.open([server]);
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(2), { boundMs: bench.subject.bounds.reconnectMs + SLACK_MS });
  await recovered(bench, server);
  await bench.environment(server, [...new Set([...Object.keys(bench.ambient), ...Object.keys(CONFIGURED)])]);
  await bench.close();
}

/** Doubt unless a second process was there to be looked into. */
const afterARecovery = (judge: (history: History) => Judgement) => (history: History): Judgement =>
  doubt([livesOf(history, SERVER).length > 1, 'a second process']) ?? judge(history);

/** ENVIRONMENT-001: scrubbed by name, and by nothing else. */
function judgeScrub(history: History): Judgement {
  const seen = eventsOf(history, 'environment').at(-1);
  if (seen === undefined) return inconclusive('no process told its environment');
  const { ambient, configured, values } = seen.event;
  const expected = Object.entries(ambient).filter(([name]) => !Object.hasOwn(configured, name));
  const withheld = expected.filter(([name]) => WITHHELD.test(name) || name.startsWith('DSH_'));
  const inherited = expected.filter(([name]) => !WITHHELD.test(name) && !name.startsWith('DSH_'));
  if (withheld.length === 0 || inherited.length === 0) return inconclusive('the host had no canaries in its environment');
  const leaked = withheld.find(([name]) => (values[name] ?? null) !== null);
  if (leaked !== undefined) return fail(`${leaked[0]} of the host reached the server`, [seen.index]);
  const lost = inherited.find(([name, value]) => values[name] !== value);
  return lost === undefined ? pass('what the rule names was withheld, the rest inherited') : fail(`${lost[0]} of the host did not reach the server`, [seen.index]);
}

const scrub = scripted({
  id: 'ENVIRONMENT-001/without-env',
  invariant: 'ENVIRONMENT-001',
  exercise: (bench) => lookInside(bench, undefined),
  judge: judgeScrub,
});

const scrubBesideEnv = scripted({
  id: 'ENVIRONMENT-001/with-env',
  invariant: 'ENVIRONMENT-001',
  exercise: (bench) => lookInside(bench, CONFIGURED),
  judge: judgeScrub,
});

const scrubRecovered = scripted({
  id: 'ENVIRONMENT-001/recovered', invariant: 'ENVIRONMENT-001', limitMs: 60_000, exercise: lookInsideRecovered, judge: afterARecovery(judgeScrub),
});

/** ENVIRONMENT-002: what is configured arrives. */
function judgeConfigured(history: History): Judgement {
  const seen = eventsOf(history, 'environment').at(-1);
  if (seen === undefined || Object.keys(seen.event.configured).length === 0) return inconclusive('no process with a configured env told its environment');
  const wrong = Object.entries(seen.event.configured).find(([name, value]) => seen.event.values[name] !== value);
  return wrong === undefined
    ? pass('every configured variable arrived')
    : fail(`${wrong[0]} was configured and is ${JSON.stringify(seen.event.values[wrong[0]] ?? null)} in the child`, [seen.index]);
}

const configuredSurvives = scripted({
  id: 'ENVIRONMENT-002/with-env', invariant: 'ENVIRONMENT-002', exercise: (bench) => lookInside(bench, CONFIGURED), judge: judgeConfigured,
});

const configuredRecovered = scripted({
  id: 'ENVIRONMENT-002/recovered', invariant: 'ENVIRONMENT-002', limitMs: 60_000, exercise: lookInsideRecovered, judge: afterARecovery(judgeConfigured),
});

/** Arguments that a shell would split, expand or run. */
const ARGUMENTS = ['two words', '', '$HOME', '*', 'a;b', '"quoted"', "it's", '--flag=x y', '\\', '`id`', '&& exit', 'é 😀'] as const;
const HELLO = 'hello';

const argumentsAndCwd = scripted({
  id: 'ENVIRONMENT-003/arguments',
  invariant: 'ENVIRONMENT-003',
  async exercise(bench) {
    const cwd = realpathSync(tmpdir());
    const declared = bench.serve(SERVER, script(SERVER, []), { cwd });
    const { entry } = declared;
    if (entry.transport !== 'stdio') return;
    const spec = { ...entry, args: [...entry.args, ...ARGUMENTS] };
    await bench.open([spec]);
    await ask(bench, SERVER, STEADY);
    const started = declared.fixture.processes.at(-1);
    note(bench, HELLO, { argv: started?.argv, cwd: started?.cwd, configured: { args: ARGUMENTS, cwd } });
    await bench.close();
  },
  judge(history): Judgement {
    const told = eventsOf(history, 'host-event').find(({ event }) => event.event === HELLO);
    const detail = told?.event.detail;
    if (told === undefined || !isObject(detail) || !Array.isArray(detail['argv']) || !isObject(detail['configured'])) {
      return inconclusive('no process told its arguments');
    }
    const { args, cwd } = detail['configured'];
    const due = Array.isArray(args) ? (args as unknown[]) : [];
    const got = (detail['argv'] as unknown[]).slice(-due.length);
    return first(
      JSON.stringify(got) === JSON.stringify(due) ? undefined : fail(`configured were ${JSON.stringify(due)}, the program got ${JSON.stringify(got)}`, [told.index]),
      detail['cwd'] === cwd ? undefined : fail(`configured was the cwd ${String(cwd)}, the program runs in ${String(detail['cwd'])}`, [told.index]),
    ) ?? pass('arguments and cwd arrived as configured');
  },
});

/** The checks of `environment`. */
export const environmentChecks: readonly Check[] = [
  scrub, scrubBesideEnv, scrubRecovered, configuredSurvives, configuredRecovered, argumentsAndCwd, defaultCwd,
];
