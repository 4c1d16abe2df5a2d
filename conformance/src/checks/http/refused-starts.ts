/** Starts over HTTP that are refused, or that nobody answers (CONNECTION-034). */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { settledSteps, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, first, startMessages } from '../support/facts.ts';
import { script } from '../support/scripts.ts';
import { httpRequests } from './requests.ts';

/** How a server refuses everything, by its name. */
const REFUSALS: Readonly<Record<string, number>> = { 'wrong-key': 401, 'wrong-path': 404 };
const NOBODY = 'nobody-there';

async function exercise(bench: Bench): Promise<void> {
  const off = bench.subject.options.includes('reconnect') ? { options: { reconnect: { enabled: false } } } : {};
  const refusing = await Promise.all(Object.entries(REFUSALS).map(([name, status]) =>
    bench.serveHttp(name, script(name, [], [{ id: 'refuses', when: { http: 'any' }, do: [{ respond: { status, body: 'not here' } }] }]), off)));
  const servers: BenchServer[] = bench.subject.servers === 'one' ? refusing.slice(0, 1) : [...refusing, await nobody(bench, off)];
  await bench.open(servers);
  // Who lists first at a look asks them only now.
  await bench.look();
  await bench.close();
}

async function nobody(bench: Bench, off: object): Promise<BenchServer> {
  const server = await bench.serveHttp(NOBODY, script(NOBODY, []), off);
  await server.fixture.do([{ down: true }]);
  return server;
}

/** The port that nobody listens on, as the entry names it. */
function portIn(history: History): string | undefined {
  for (const event of history) {
    const entry = event.kind === 'request' && event.step === 'open' ? event.servers.find(({ name }) => name === NOBODY) : undefined;
    if (entry?.transport === 'streamable-http') return new URL(entry.url).port;
  }
  return undefined;
}

/** Whether words say this number: by itself, not as a part of another one, such as a port, and no length of time. */
function saysNumber(words: string, number: string): boolean {
  return new RegExp(String.raw`(?<!\d)(?<!\d\.)${number}(?!\d)(?!\s?ms\b)`).test(words);
}

function judge(history: History): Judgement {
  const settled = settledSteps(history, 'open')[0];
  if (settled === undefined) return inconclusive('not in the history: an opening that settled');
  const { servers } = settled.event;
  const isLazy = subjectOf(history)?.registry === 'pull';
  const says = (name: string, fact: string): Judgement | undefined => {
    const words = startMessages(history, name);
    return saysNumber(words, fact) ? undefined : fail(`why "${name}" could not be reached cannot be read: ${fact} is not in it: ${words}`, [settled.index]);
  };
  const port = portIn(history);
  return first(
    ...servers.map(({ name, status }) => (status === 'ready' && !isLazy ? fail(`"${name}", which cannot be reached, is said to be ready`, [settled.index]) : undefined)),
    ...Object.entries(REFUSALS).filter(([name]) => servers.some((one) => one.name === name)).map(([name, status]) => first(
      doubt([httpRequests(history, name).some((request) => request.status === status), `a request that "${name}" refused`]), says(name, String(status)),
    )),
    port === undefined || !servers.some(({ name }) => name === NOBODY) ? undefined : says(NOBODY, port),
    doubt([servers.length > 0, 'a server']),
  ) ?? pass('each refusal says its status, and silence its address');
}

/** Checks of refused starts. */
export const refusedStartChecks: readonly Check[] = [scripted({ id: 'CONNECTION-034/three-ways', invariant: 'CONNECTION-034', exercise, judge })];
