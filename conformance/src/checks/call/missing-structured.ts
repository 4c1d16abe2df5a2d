/**
 * Results without structured content, of tools that declare what it would look like (CALL-020).
 */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { logLines, textOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { answeredResult, callFor, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'untyped';
const BARE = 'bare';
const WORDS = 'there are three of them';
const SCHEMA = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

async function exercise(bench: Bench, options: Readonly<Record<string, unknown>>): Promise<void> {
  const bare = tool(SERVER, BARE, { outputSchema: SCHEMA, result: { content: [{ type: 'text', text: WORDS }] } });
  await openOne(bench, SERVER, script(SERVER, [bare]), options);
  await ask(bench, SERVER, BARE);
  await bench.close();
}

/** Doubt, or a fail when the tool is not there to be called. */
function answered(history: History): Judgement | undefined {
  const call = callFor(history, BARE);
  if (call === undefined) return uncalled(history, SERVER, BARE) ?? inconclusive('the tool was not called');
  const result = answeredResult(call);
  return result !== undefined && !('structuredContent' in result) ? undefined : inconclusive('the server did not answer without structured content');
}

/** CALL-020: delivered, with a warning. */
export const missingDelivered = scripted({
  id: 'CALL-020/delivered',
  invariant: 'CALL-020',
  exercise: (bench) => exercise(bench, {}),
  judge(history): Judgement {
    const call = callFor(history, BARE);
    const reply = replyOf(call);
    const places = call === undefined ? [] : placesOf(call);
    const warning = logLines(history, 'warn').find(({ index }) => index > (call?.answer?.index ?? history.length));
    return first(
      answered(history),
      reply?.outcome === 'ok' && textOf(reply.view).includes(WORDS) ? undefined : fail(`a result without structured content was not delivered: ${reply?.outcome ?? 'never settled'}`, places),
      warning === undefined ? fail('no warning says that the declared structure is missing', places) : undefined,
    ) ?? pass('the content was delivered, with a warning');
  },
});

/** CALL-020: failed, where that is asked for. */
export const missingFails = scripted({
  id: 'CALL-020/fails-on-request',
  invariant: 'CALL-020',
  options: ['missingStructuredContent'],
  exercise: (bench) => exercise(bench, { missingStructuredContent: 'fail' }),
  judge(history): Judgement {
    const call = callFor(history, BARE);
    const reply = replyOf(call);
    return answered(history) ?? (reply === undefined || reply.outcome === 'ok'
      ? fail(`missingStructuredContent is fail, and the call ended as ${reply?.outcome ?? 'nothing'}`, call === undefined ? [] : placesOf(call))
      : pass('the call failed, as it was asked for'));
  },
});
