/** An entry that is loaded again, as it is or edited (HOST-003). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, pairings, type At } from '../../history/views.ts';
import type { EventOf } from '../../history/schema.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { livesOf } from '../connection/lives.ts';
import { overlap } from '../connection/outage-facts.ts';
import { doubt, first } from '../support/facts.ts';
import { ANSWER, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const SERVER = 'edited';
const RAW_NAMES = [STEADY, 'dotted.name', 'x'.repeat(70)] as const;
/** What the edit adds to the environment, and what it says. */
const EDIT = 'MCPBC_EDITED';
/** It takes its time to leave, and shows that it lives. */
const UNHURRIED: Rule = { id: 'leaving', when: { inputEnd: true }, do: [...Array.from({ length: 20 }, () => ({ delay: 10 })), ANSWER] };

const tools = RAW_NAMES.slice(1).map((name) => tool(SERVER, name));

async function callAll(bench: Bench): Promise<void> {
  for (const name of RAW_NAMES) await ask(bench, SERVER, name);
}

async function begin(bench: Bench): Promise<BenchServer> {
  const server = bench.serve(SERVER, script(SERVER, tools, [UNHURRIED]));
  await bench.open([server]);
  await callAll(bench);
  return server;
}

async function exerciseReload(bench: Bench): Promise<void> {
  const server = await begin(bench);
  await bench.reload(SERVER);
  await callAll(bench);
  await bench.environment(server, [EDIT]);
  await bench.close();
}

async function exerciseEdit(bench: Bench): Promise<void> {
  if (bench.subject.servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${bench.subject.servers}: it has no add`);
  await begin(bench);
  await bench.remove(SERVER);
  const changed = bench.serve(SERVER, script(SERVER, tools, [UNHURRIED]), { env: { [EDIT]: 'yes' } });
  await bench.add(changed);
  await callAll(bench);
  await bench.environment(changed, [EDIT]);
  await bench.close();
}

/** The first public name under which a raw name was reached that differs from an earlier one. */
function renamed(history: History): { readonly rawName: string; readonly names: readonly string[]; readonly places: readonly number[] } | undefined {
  for (const rawName of RAW_NAMES) {
    const calls = pairings(history).filter((one) => one.server === SERVER && one.rawName === rawName);
    const names = [...new Set(calls.map(({ publicName }) => publicName))];
    if (names.length > 1) return { rawName, names, places: calls.map(({ call }) => call.call.index) };
  }
  return undefined;
}

function judge(history: History): Judgement {
  const lives = livesOf(history, SERVER);
  const reached = (pid: number | undefined): number => pairings(history).filter(({ call }) => call.requests[0]?.event.pid === pid).length;
  // A process that is started to be looked at, and never used, is neither of the two.
  const [old, next] = lives.filter(({ pid }) => reached(pid) > 0);
  const other = renamed(history);
  const both = overlap(lives);
  const inside: At<EventOf<'environment'>> | undefined = eventsOf(history, 'environment').at(-1);
  return first(
    doubt([old?.end !== undefined && reached(old.pid) > 0, 'a process that was called and ended'], [next !== undefined, 'a process after it']),
    both === undefined ? undefined : fail('the new process began while the old one still lived', [both.next.start.index, both.life.lastSign.index]),
    doubt([reached(next?.pid) === RAW_NAMES.length, 'calls of the new process'], [inside !== undefined, 'a look at its environment']),
    other === undefined ? undefined : fail(`${JSON.stringify(other.rawName)} was called ${other.names[0] ?? ''} and then ${other.names[1] ?? ''}`, other.places),
    inside === undefined ? inconclusive('nobody looked') : edited(inside),
  ) ?? pass('the old process was gone before the new one began, and the names are the same');
}

/** What the entry says now is what the process has. */
function edited({ index, event }: At<EventOf<'environment'>>): Judgement | undefined {
  const due = event.configured[EDIT] ?? null;
  return (event.values[EDIT] ?? null) === due ? undefined : fail(`the entry says ${EDIT}=${due ?? 'nothing'}, the process has ${event.values[EDIT] ?? 'nothing'}`, [index]);
}

/** Checks of reloading. */
export const reloadChecks: readonly Check[] = [
  scripted({ id: 'HOST-003/reload', invariant: 'HOST-003', exercise: exerciseReload, judge }),
  scripted({ id: 'HOST-003/edit', invariant: 'HOST-003', exercise: exerciseEdit, judge }),
];
