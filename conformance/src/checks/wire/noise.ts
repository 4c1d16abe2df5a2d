/**
 * Noise on stdout.
 */
import { faultsFired } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, onMethod, onSpawn, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne, shortConnect } from '../support/steps.ts';

const SERVER = 'noisy';
const NOISY = 'noisy';
const raw = (text: string): { readonly raw: { readonly text: string } } => ({ raw: { text } });

/** WIRE-004: banners, half JSON, JSON that is no message, blank lines. */
export const noise = scripted({
  id: 'WIRE-004/noise-everywhere',
  invariant: 'WIRE-004',
  async exercise(bench) {
    await openOne(bench, SERVER, script(SERVER, [tool(SERVER, NOISY)], [
      onSpawn([raw('Server listening on stdio. Ready!\n\n{"half": \n')]),
      onMethod('initialize', [raw('npm WARN deprecated something\n'), ANSWER]),
      onMethod('tools/list', [raw('42\nnull\n"text"\n'), ANSWER, raw('{"level":"info","msg":"listed"}\n')]),
      onCall(NOISY, [raw('calling…\n{"level":30,"time":1}\n[]\n'), ANSWER, raw('} done\n')]),
    ]), shortConnect(bench));
    if ((await ask(bench, SERVER, NOISY, { boundMs: 3_000 })) !== undefined) await ask(bench, SERVER, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const started = faultsFired(history, SERVER, 'on-spawn').length > 0;
    const listed = faultsFired(history, SERVER, 'on-tools-list').length > 0;
    const doubted = doubt([started, 'noise before the handshake']);
    if (doubted !== undefined) return doubted;
    if (!listed) return fail('after noise on stdout the list was never asked for');
    const call = callFor(history, NOISY);
    if (call === undefined) return uncalled(history, SERVER, NOISY) ?? inconclusive('no call was made');
    if (call.answer === undefined) return inconclusive('the noisy call was not answered by the server');
    return first(
      echoed(call) ? undefined : fail('a call answered between lines of noise failed', placesOf(call)),
      echoed(callFor(history, STEADY)) ? undefined : fail('the call after the noise failed', placesOf(call)),
    ) ?? pass('the tools were offered and the calls answered');
  },
});
