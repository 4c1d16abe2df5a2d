/**
 * Revisions of the protocol (WIRE-020).
 */
import { NotApplicable } from '../../bench/endings.ts';
import { frames, isObject, messageOf, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, echoed, placesOf, startMessages, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

/** Servers of earlier years, by the revision that they answer. */
const OLDER: Readonly<Record<string, string>> = { 'of-june-2025': '2025-06-18', 'of-march-2025': '2025-03-26', 'of-2024': '2024-11-05' };
/** One that speaks what nobody knows. */
const UNKNOWN = 'of-another-time';
const UNKNOWN_REVISION = '1999-01-01';

/** WIRE-020: older ones are used, an unknown one is named. */
export const revisions = scripted({
  id: 'WIRE-020/older-and-unknown',
  invariant: 'WIRE-020',
  async exercise(bench) {
    if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
    const off = bench.subject.options.includes('reconnect') ? { options: { reconnect: { enabled: false } } } : {};
    const older = Object.entries(OLDER).map(([name, protocolVersion]) => bench.serve(name, script(name, [], [], { protocolVersion })));
    const unknown = bench.serve(UNKNOWN, script(UNKNOWN, [], [], { protocolVersion: UNKNOWN_REVISION }), off);
    await bench.open([...older, unknown]);
    for (const name of Object.keys(OLDER)) await ask(bench, name, STEADY);
    await bench.close();
  },
  judge(history): Judgement {
    const settled = settledSteps(history, 'open')[0];
    const answered = (server: string, revision: string): boolean => frames(history, { server, direction: 'server-to-client' }).some(({ event }) => {
      const { result } = messageOf(event) as { readonly result?: unknown };
      return isObject(result) && result['protocolVersion'] === revision;
    });
    if (settled === undefined || !Object.entries({ ...OLDER, [UNKNOWN]: UNKNOWN_REVISION }).every(([name, revision]) => answered(name, revision))) {
      return inconclusive('not in the history: handshakes in other revisions');
    }
    for (const [name, revision] of Object.entries(OLDER)) {
      const call = callFor(history, STEADY, name);
      const reply = settled.event.servers.find((one) => one.name === name);
      if (reply?.status !== 'ready') return fail(`a server of revision ${revision} is ${reply?.status ?? 'not answered for'}: ${reply?.message ?? ''}`, [settled.index]);
      if (call === undefined) return uncalled(history, name, STEADY) ?? inconclusive(`"${name}" was not called`);
      if (!echoed(call)) return fail(`a tool of a server of revision ${revision} cannot be called`, placesOf(call));
    }
    if (settled.event.servers.find(({ name }) => name === UNKNOWN)?.status === 'ready') return fail(`a server of the unknown revision ${UNKNOWN_REVISION} is said to be ready`, [settled.index]);
    return startMessages(history, UNKNOWN).includes(UNKNOWN_REVISION)
      ? pass(`${Object.keys(OLDER).length} older revisions work, the unknown one is named`)
      : fail(`nothing about "${UNKNOWN}" names the revision ${UNKNOWN_REVISION}`, [settled.index]);
  },
});
