/**
 * Revisions of the protocol (WIRE-020).
 */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { frames, isObject, messageOf, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, echoed, placesOf, startMessages, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

/** Servers of earlier years, by the revision that they answer. */
type Older = Readonly<Record<string, string>>;

/** Those that a server over HTTP may be of: the first revision had another way over HTTP. */
const OLDER_OVER_HTTP: Older = { 'of-june-2025': '2025-06-18', 'of-march-2025': '2025-03-26' };
const OLDER: Older = { ...OLDER_OVER_HTTP, 'of-2024': '2024-11-05' };
/** One that speaks what nobody knows. */
const UNKNOWN = 'of-another-time';
const UNKNOWN_REVISION = '1999-01-01';

/** Declares a server that answers in a revision. */
type Serve = (bench: Bench, name: string, protocolVersion: string, extras?: { readonly options?: Readonly<Record<string, unknown>> }) => Promise<BenchServer>;

const overStdio: Serve = (bench, name, protocolVersion, extras) => Promise.resolve(bench.serve(name, script(name, [], [], { protocolVersion }), extras));
const overHttp: Serve = (bench, name, protocolVersion, extras) => {
  return bench.serveHttp(name, script(name, [], [], { protocolVersion }), extras);
};

/** Opens servers of all these revisions at once, and calls the older ones. */
const opened = (older: Older, serve: Serve) => async (bench: Bench): Promise<void> => {
  if (bench.subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
  const off = bench.subject.options.includes('reconnect') ? { options: { reconnect: { enabled: false } } } : {};
  const known = await Promise.all(Object.entries(older).map(([name, revision]) => serve(bench, name, revision)));
  await bench.open([...known, await serve(bench, UNKNOWN, UNKNOWN_REVISION, off)]);
  for (const name of Object.keys(older)) await ask(bench, name, STEADY);
  await bench.close();
};

/** Older ones are used, an unknown one is named. */
const judge = (older: Older) => (history: History): Judgement => {
  const settled = settledSteps(history, 'open')[0];
  const answered = (server: string, revision: string): boolean => frames(history, { server, direction: 'server-to-client' }).some(({ event }) => {
    const { result } = messageOf(event) as { readonly result?: unknown };
    return isObject(result) && result['protocolVersion'] === revision;
  });
  if (settled === undefined || !Object.entries({ ...older, [UNKNOWN]: UNKNOWN_REVISION }).every(([name, revision]) => answered(name, revision))) {
    return inconclusive('not in the history: handshakes in other revisions');
  }
  for (const [name, revision] of Object.entries(older)) {
    const call = callFor(history, STEADY, name);
    const reply = settled.event.servers.find((one) => one.name === name);
    if (reply?.status !== 'ready') return fail(`a server of revision ${revision} is ${reply?.status ?? 'not answered for'}: ${reply?.message ?? ''}`, [settled.index]);
    if (call === undefined) return uncalled(history, name, STEADY) ?? inconclusive(`"${name}" was not called`);
    if (!echoed(call)) return fail(`a tool of a server of revision ${revision} cannot be called`, placesOf(call));
  }
  if (settled.event.servers.find(({ name }) => name === UNKNOWN)?.status === 'ready') return fail(`a server of the unknown revision ${UNKNOWN_REVISION} is said to be ready`, [settled.index]);
  return startMessages(history, UNKNOWN).includes(UNKNOWN_REVISION)
    ? pass(`${Object.keys(older).length} older revisions work, the unknown one is named`)
    : fail(`nothing about "${UNKNOWN}" names the revision ${UNKNOWN_REVISION}`, [settled.index]);
};

/** Checks of revisions, by transport. */
export const revisionChecks: readonly Check[] = [
  scripted({ id: 'WIRE-020/older-and-unknown', invariant: 'WIRE-020', exercise: opened(OLDER, overStdio), judge: judge(OLDER) }),
  scripted({ id: 'WIRE-020/older-over-http', invariant: 'WIRE-020', transports: ['streamable-http'], exercise: opened(OLDER_OVER_HTTP, overHttp), judge: judge(OLDER_OVER_HTTP) }),
];
