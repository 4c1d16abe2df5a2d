/**
 * Messages above a limit of the entry (WIRE-021).
 */
import { faultsFired, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { recovered } from '../connection/steps.ts';
import { callFor, callsFor, doubt, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';

const SERVER = 'wordy';
/** The limit of the entry, in bytes. */
export const LIMIT_BYTES = 200_000;
/** An answer below the limit. */
const WITHIN = 'large';
/** One that is a little above it, and one that is so far above that a bridge may give the whole connection up. */
const ABOVE: Readonly<Record<string, number>> = { huge: 1.5 * LIMIT_BYTES, endless: 4 * LIMIT_BYTES };

/** WIRE-021: an answer above the limit costs its own call, with a reason, and no later one. */
export const oversize = scripted({
  id: 'WIRE-021/answers',
  invariant: 'WIRE-021',
  options: ['maxMessageBytes'],
  async exercise(bench) {
    const recovers = bench.subject.features.includes('reconnect');
    const quick = bench.subject.options.includes('reconnect') ? { reconnect: { initialDelayMs: 20, maxDelayMs: 40 } } : {};
    const above = Object.entries(ABOVE).slice(0, recovers ? undefined : 1);
    const rules = [onCall(WITHIN, [{ oversize: { bytes: LIMIT_BYTES / 2 } }]), ...above.map(([name, bytes]) => onCall(name, [{ oversize: { bytes } }]))];
    const tools = [WITHIN, ...Object.keys(ABOVE)].map((name) => tool(SERVER, name));
    const server = await openOne(bench, SERVER, script(SERVER, tools, rules), { maxMessageBytes: LIMIT_BYTES, ...quick });
    await ask(bench, SERVER, WITHIN);
    for (const [name] of above) {
      await ask(bench, SERVER, name, { boundMs: 5_000 });
      if (recovers) await recovered(bench, server);
      await ask(bench, SERVER, STEADY);
    }
    await bench.close();
  },
  judge(history): Judgement {
    const within = callFor(history, WITHIN);
    const above = Object.keys(ABOVE).flatMap((name) => callFor(history, name) ?? []);
    if (within === undefined || above.length === 0) return uncalled(history, SERVER, 'huge') ?? inconclusive('no call was made');
    const small = replyOf(within);
    return first(
      doubt([faultsFired(history, SERVER).filter(({ event }) => event.action === 'oversize').length > above.length, 'answers on both sides of the limit']),
      small?.outcome === 'ok' ? undefined : fail(`an answer below maxMessageBytes ended as ${small?.outcome ?? 'nothing'}`, placesOf(within)),
      ...above.map((call) => judgeAbove(call)),
      ...above.map((call) => judgeAfter(callsFor(history, STEADY).find((one) => one.call.index > call.call.index))),
    ) ?? pass(`${above.length} answers above the limit failed their own calls, with the reason`);
  },
});

/** A call whose answer is above the limit: it has to fail, and to say why. */
export function judgeAbove(call: PairedCall): Judgement | undefined {
  const reply = replyOf(call);
  if (reply === undefined) return fail('a call whose answer is above maxMessageBytes never settled', placesOf(call));
  if (reply.outcome === 'ok') return fail(`an answer above maxMessageBytes ended as ${reply.outcome}`, placesOf(call));
  return /maxMessageBytes|(?:200|400)[,_ ]?000|(?<!\d)(?:200|195|400|390)(?:[.,]\d+)?\s*[kK]i?B/.test(readOf(reply)) ? undefined : fail(`the failure does not say which limit was reached: ${readOf(reply).slice(0, 200)}`, placesOf(call));
}

/** The call after one whose answer is above the limit. */
export function judgeAfter(call: PairedCall | undefined): Judgement | undefined {
  if (call === undefined) return inconclusive('not in the history: a call afterwards');
  return echoed(call) ? undefined : fail('after an answer above the limit the server cannot be called', placesOf(call));
}
