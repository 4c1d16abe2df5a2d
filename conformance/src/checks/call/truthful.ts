/**
 * What a reply says of execution, held against the wire. A host that is told "not executed" may well try again.
 */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { History } from '../../history/schema.ts';
import { messageOf, pairedCalls, type PairedCall } from '../../history/views.ts';
import { fail, pass, scripted, type Judgement } from '../check.ts';
import { doubt, first, placesOf, replyOf } from '../support/facts.ts';
import { onCall, script, STEADY, textResult, tool } from '../support/scripts.ts';
import { ask, begin, ended, offeredTool, openOne, settle } from '../support/steps.ts';

const SERVER = 'mortal';
const FAILING = 'failing';
const FATAL = 'fatal';
/** For a call of a server that is gone, in milliseconds. */
const CALL_BOUND_MS = 3_000;

/** A refusal by the server's JSON-RPC error says nothing about execution, so either word may be true of it. */
function mayHaveRun({ requests, answer }: PairedCall): boolean {
  return requests.length > 0 && (answer === undefined || messageOf(answer.event)['error'] === undefined);
}

/** The judge of CALL-018. */
function judgeTruth(history: History): Judgement {
  const calls = pairedCalls(history).filter((call) => call.outcome !== undefined);
  const denied = calls.find((call) => mayHaveRun(call) && replyOf(call)?.executed === 'no');
  const invented = calls.find((call) => call.requests.length === 0 && (replyOf(call)?.executed === 'yes' || replyOf(call)?.outcome === 'ok'));
  return first(
    denied === undefined ? undefined : fail(`${denied.callId} was received by its server, and is reported as not executed`, placesOf(denied)),
    invented === undefined ? undefined : fail(`${invented.callId} reached no server, and is reported as ${replyOf(invented)?.outcome ?? ''}, executed: ${replyOf(invented)?.executed ?? ''}`, placesOf(invented)),
    doubt(
      [calls.some(({ answer }) => answer !== undefined), 'a call that its server answered'],
      [calls.some((call) => call.requests.length > 0 && call.answer === undefined), 'a call that was received and not answered'],
      [calls.some(({ requests }) => requests.length === 0), 'a call that reached no server'],
    ),
  ) ?? pass(`what was said of ${calls.length} calls is what the wire shows`);
}

/** CALL-018: answered, failed by the tool, caught in an end, and made when nobody was there. */
export const executionTold = scripted({
  id: 'CALL-018/around-an-end',
  invariant: 'CALL-018',
  limitMs: 60_000,
  async exercise(bench) {
    const failing = tool(SERVER, FAILING, { result: { ...textResult('no'), isError: true } });
    // Counted from `initialize`: a process that is only probed is none of the server's lives.
    const rules: Rule[] = [onCall(FATAL, [{ exit: 3 }]), { id: 'gone', when: { method: 'initialize', incarnation: { from: 2 } }, do: [{ exit: 3 }] }];
    const server = await openOne(bench, SERVER, script(SERVER, [failing, tool(SERVER, FATAL)], rules));
    // Found before the end: whether a lost server's tools stay offered is the bridge's own affair.
    const late = await offeredTool(bench, SERVER, STEADY);
    await ask(bench, SERVER, STEADY);
    await ask(bench, SERVER, FAILING);
    const caught = await begin(bench, SERVER, FATAL, { boundMs: CALL_BOUND_MS });
    await bench.wire(server, 'it ended', ended);
    await settle(caught);
    if (late !== undefined) await settle(bench.start({ tool: late, server: SERVER, rawName: STEADY, arguments: {}, boundMs: CALL_BOUND_MS }));
    await bench.close();
  },
  judge: judgeTruth,
});
