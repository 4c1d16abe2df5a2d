/** A configured secret in the error of a call, which a model reads (CONNECTION-003, CONNECTION-045). */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { allReadable, callFor, doubt, replyOf, uncalled } from '../support/facts.ts';
import { canary, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

const SERVER = 'indiscreet';
const REPEATS = 'repeats';
const SECRET = canary('Repeated');

/** A tool that repeats in an error of the protocol what its server was given. */
const SCENARIO: ScenarioInput = script(SERVER, [tool(SERVER, REPEATS)], [
  onCall(REPEATS, [{ error: { code: -32_000, message: `nobody knows ${SECRET} here`, data: { credentials: SECRET } } }]),
]);

function exercise(serve: (bench: Bench) => Promise<BenchServer>): (bench: Bench) => Promise<void> {
  return async (bench) => {
    await bench.open([await serve(bench)]);
    await ask(bench, SERVER, STEADY);
    await ask(bench, SERVER, REPEATS);
    await bench.close();
  };
}

function judge(history: History): Judgement {
  const leak = allReadable(history).find(({ text }) => text.includes(SECRET.slice(0, 64)));
  if (leak !== undefined) return fail('a configured secret that a server repeated in the error of a call stands in what a model or a person reads', [leak.index]);
  const call = callFor(history, REPEATS, SERVER);
  if (call === undefined) return uncalled(history, SERVER, REPEATS) ?? inconclusive('no call was made');
  return doubt(
    [faultsFired(history, SERVER, `on-${REPEATS}`).length > 0, 'an error with the secret'], [replyOf(call)?.outcome === 'failed' || replyOf(call)?.outcome === 'tool-error', 'a call that failed'],
  ) ?? pass('the call failed, and the secret in its error occurs nowhere');
}

/** Checks of secrets in the errors of calls. */
export const callSecretChecks: readonly Check[] = [
  scripted({
    id: 'CONNECTION-003/error-of-a-call', invariant: 'CONNECTION-003', judge,
    exercise: exercise((bench) => Promise.resolve(bench.serve(SERVER, SCENARIO, { env: { MCPBC_LOGIN_TOKEN: SECRET } }))),
  }),
  scripted({
    id: 'CONNECTION-045/error-of-a-call', invariant: 'CONNECTION-045', judge,
    exercise: exercise((bench) => bench.serveHttp(SERVER, SCENARIO, { headers: { 'x-auth': SECRET } })),
  }),
];
