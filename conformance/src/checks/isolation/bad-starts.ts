/**
 * Servers that never get as far as tools, beside one that does.
 */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { ServerSpec } from '../../adapter/messages.ts';
import { BenchTimeout } from '../../bench/endings.ts';
import { eventsOf, faultsFired, settledSteps, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onMethod, onSpawn, script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const HEALTHY = 'healthy';
const MISSING: ServerSpec = { name: 'missing', transport: 'stdio', command: '/nonexistent/mcp-bridge-conformance/no-such-program', args: [] };

/** How a start goes wrong, by the name of the server. */
const BAD: Readonly<Record<string, readonly Rule[]>> = {
  'exits-at-spawn': [onSpawn([{ stderr: { text: 'no reason to live\n' } }, { exit: 1 }])],
  'exits-at-initialize': [onMethod('initialize', [{ exit: 2 }])],
  'exits-after-initialize': [onMethod('initialize', [ANSWER, { exit: 0 }])],
  'refuses-initialize': [onMethod('initialize', [{ error: { code: -32000, message: 'not today' } }])],
  'refuses-the-list': [onMethod('tools/list', [{ error: { code: -32603, message: 'no list today' } }])],
  'lists-nonsense': [onMethod('tools/list', [{ reply: { result: { tools: 'none' } } }])],
  'exits-in-the-list': [onMethod('tools/list', [{ exit: 0 }])],
};

/** A server that never answers costs the first turn its connect timeout; it takes part where that can be made short. */
const SILENT = 'never-answers';
const CONNECT_TIMEOUT_MS = 1_500;

/** ISOLATION-001: the healthy one is offered and answers. */
export const badStartsIsolated = scripted({
  id: 'ISOLATION-001/bad-starts',
  invariant: 'ISOLATION-001',
  limitMs: 60_000,
  async exercise(bench) {
    const bad = Object.entries(BAD).map(([name, rules]) => bench.serve(name, script(name, [], rules)));
    const silent = bench.subject.options.includes('connectTimeoutMs')
      ? [bench.serve(SILENT, script(SILENT, [], [onMethod('initialize', [{ drop: true }])]), { options: { connectTimeoutMs: CONNECT_TIMEOUT_MS } })]
      : [];
    const healthy = bench.serve(HEALTHY, script(HEALTHY, []));
    try {
      await bench.open([...bad.slice(0, 3), MISSING, ...silent, healthy, ...bad.slice(3)]);
    } catch (error) {
      // Opening may take as long as bad starts are tried again; the healthy one is callable at once (R32).
      if (!(error instanceof BenchTimeout)) throw error;
    }
    await ask(bench, HEALTHY, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    if (subjectOf(history)?.servers === 'one') return inconclusive('the subject takes one server only');
    const faulty = Object.keys(BAD).filter((name) => faultsFired(history, name).length > 0);
    const asked = eventsOf(history, 'request').find(({ event }) => event.step === 'open');
    const settled = settledSteps(history, 'open')[0];
    const doubted = doubt([asked !== undefined, 'the request to open'], [faulty.length > 0, 'a server that went wrong']);
    if (doubted !== undefined) return doubted;
    const call = callFor(history, STEADY, HEALTHY);
    if (settled === undefined) {
      return echoed(call)
        ? inconclusive('opening did not settle in time, though the healthy server could be called')
        : fail('opening never settled because of servers that cannot start, and the healthy one could not be called', asked === undefined ? [] : [asked.index]);
    }
    const reply = settled.event.servers.find(({ name }) => name === HEALTHY);
    if (reply?.status !== 'ready') return fail(`beside servers that cannot start the healthy one is ${reply?.status ?? 'not answered for'}: ${reply?.message ?? settled.event.error ?? ''}`, [settled.index]);
    if (call === undefined) return uncalled(history, HEALTHY, STEADY) ?? inconclusive('the healthy server was not called');
    if (!echoed(call)) return fail('the healthy server could not be called', placesOf(call));
    return doubt([faulty.length >= 3, 'three servers that went wrong']) ?? pass(`the healthy server works beside ${faulty.length} that went wrong`);
  },
});
