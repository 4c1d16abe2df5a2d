/**
 * What is left when all is closed.
 */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, faultsFired, settledSteps, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { doubt } from '../support/facts.ts';
import { graces } from '../support/graces.ts';
import { onCall, onSpawn, ownScript, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, ended, openOne, settle } from '../support/steps.ts';

/** Longer than any check runs, so that a helper does not leave by itself. */
const LIFETIME_MS = 60_000;
const helper = (more: { readonly holdStdio?: boolean; readonly ignoreTerm?: boolean }): Rule['do'][number] => ({
  spawn: { holdStdio: false, ignoreTerm: false, ownGroup: false, lifetimeMs: LIFETIME_MS, ...more },
});

const GRACE_MS = 300;

/** Trees of processes, by the name of their server. */
const TREES: Readonly<Record<string, readonly Rule[]>> = {
  alone: [],
  stubborn: [onSpawn([{ ignoreTerm: true }])],
  'with-helper': [onSpawn([helper({ holdStdio: true })])],
  'with-stubborn-helper': [onSpawn([helper({ ignoreTerm: true })])],
};

/** The raw name of a server's one tool. */
const whose = (server: string): string => `tool_of_${server}`;

function isHelper(record: TraceRecord): boolean {
  return record.kind === 'process' && record.event === 'grandchild';
}

/** ISOLATION-003: nothing is left. */
export const noProcessLeft = scripted({
  id: 'ISOLATION-003/trees',
  invariant: 'ISOLATION-003',
  limitMs: 60_000,
  async exercise(bench) {
    const trees = Object.entries(TREES).slice(bench.subject.servers === 'one' ? -1 : 0);
    const options = graces(bench, GRACE_MS);
    const servers = trees.map(([name, rules]) => bench.serve(name, ownScript(name, [whose(name)], rules), { options }));
    await bench.open(servers);
    for (const server of servers) {
      await ask(bench, server.name, whose(server.name));
      if (server.name.includes('helper')) await bench.wire(server, `the helper of ${server.name} runs`, isHelper);
    }
    await bench.close();
  },
  judge: (history) => judgeLeft(history),
});

/** What is alive after closing; `witness` is what else has to be in the history. */
function judgeLeft(history: History, ...witness: readonly (readonly [held: boolean, what: string])[]): Judgement {
  const counted = eventsOf(history, 'processes').at(-1);
  const helpers = wireRecords(history, 'process').flatMap(({ event }) => (event.childPid === undefined ? [] : [event.childPid]));
  if (counted === undefined) {
    const unsettled = barrierOf(history, 'close settles');
    if (unsettled?.event.reached === false) return fail('closing never settled', [unsettled.index]);
    return inconclusive('nobody looked at the processes');
  }
  if (counted.event.alive.length > 0) {
    return fail(`${counted.event.alive.length} of ${counted.event.started.length} processes are alive after closing`, [counted.index]);
  }
  return doubt(
    [settledSteps(history, 'close').length > 0, 'a close that settled'],
    [helpers.length > 0 && helpers.every((pid) => counted.event.started.includes(pid)), 'a helper process among those that were counted'],
    ...witness,
  ) ?? pass(`none of ${counted.event.started.length} processes is left`);
}

const LOST = 'lost';
const FATAL = 'fatal';

/** ISOLATION-003: the leader ended by itself before, so that nobody is there any more to be asked. */
export const noHelperOutlivesItsServer = scripted({
  id: 'ISOLATION-003/after-a-loss',
  invariant: 'ISOLATION-003',
  limitMs: 60_000,
  async exercise(bench) {
    const helpers = onSpawn([helper({}), helper({ ignoreTerm: true })]);
    const server = await openOne(bench, LOST, script(LOST, [tool(LOST, FATAL)], [helpers, onCall(FATAL, [{ exit: 3 }])]));
    await bench.wire(server, 'its helpers run', isHelper);
    await ask(bench, LOST, STEADY);
    const call = await begin(bench, LOST, FATAL);
    await bench.wire(server, 'it ended by itself', ended);
    // When its call has settled, the subject knows of the loss.
    await settle(call);
    await bench.close();
  },
  judge: (history) => judgeLeft(history, [faultsFired(history, LOST).length > 0, 'a server that ended by itself']),
});
